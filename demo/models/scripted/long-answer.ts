// Something that takes several seconds to say: time enough to reload, to cut the line, to stop.

const ITEMS = 24;

export const LONG_ANSWER =
  "This takes a while, so that you can interrupt it. " +
  Array.from({ length: ITEMS }, (_, index) => `Line ${index + 1} of ${ITEMS} is said now.`).join(" ") +
  " That was all.";
