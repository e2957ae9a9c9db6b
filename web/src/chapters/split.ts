/** The words at which a chapter is split, or the reason why it cannot be split there. */
export type SplitPoint = { words: string } | { missing: "before" | "after" | "unique" };

const SHORTEST = 12;

/**
 * Returns the first words behind `offset`, as many as it takes to occur once in the text: the API finds the place by
 * them.
 */
export function splitPoint(text: string, offset: number): SplitPoint {
  const rest = text.slice(offset);
  const start = offset + rest.length - rest.trimStart().length;
  if (rest.trim() === "") return { missing: "after" };
  if (text.slice(0, start).trim() === "") return { missing: "before" };
  for (let length = SHORTEST; ; length *= 2) {
    const end = Math.min(text.length, start + length);
    const words = text.slice(start, isInsidePair(text, end) ? end + 1 : end).trimEnd();
    if (text.indexOf(words) === start && !text.includes(words, start + 1)) return { words };
    if (end === text.length) return { missing: "unique" };
  }
}

/** Whether a position is between the two halves of one character. */
function isInsidePair(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1);
  return position < text.length && before >= 0xd800 && before <= 0xdbff;
}
