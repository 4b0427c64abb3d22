/** The rows of a scenario that counts what something costs: the keys are the meter's. */
export const COUNT_ROWS = {
  rowsWritten: "rows written",
  billed: "billed (rows, key-values, alarms set)",
  statements: "SQL statements",
  rowsRead: "rows read",
  alarmsSet: "alarms set",
  alarmsDeleted: "alarms deleted",
  kvWrites: "key-values written",
};
