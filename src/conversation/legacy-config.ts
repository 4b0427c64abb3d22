/**
 * Objects of old versions keep their configuration in `assistant_config`. It moves once, never over a newer
 * value, and the old table goes.
 */
export function moveLegacyConfig(storage: DurableObjectStorage): void {
  const legacy = storage.sql
    .exec("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'assistant_config'")
    .toArray();
  if (legacy.length === 0) return;
  storage.transactionSync(() => {
    storage.sql.exec(
      "INSERT OR IGNORE INTO think_config (key, value) " +
        "SELECT key, value FROM assistant_config WHERE session_id = '' AND key = '_think_config'",
    );
    storage.sql.exec("DROP TABLE assistant_config");
  });
}
