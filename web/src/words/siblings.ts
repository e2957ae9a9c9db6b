/** The sexes of two people; true for male. */
export type Sexes = readonly [boolean, boolean];

/** Chinese words for two siblings, with the sex of the older and of the younger. */
export const siblingWords: readonly [string, Sexes][] = [
  ["兄弟", [true, true]],
  ["弟兄", [true, true]],
  ["兄妹", [true, false]],
  ["姐弟", [false, true]],
  ["姊弟", [false, true]],
  ["姐妹", [false, false]],
  ["姊妹", [false, false]],
];

/** Whether a gender written on a card is male; undefined if it is neither male nor female. */
export function isMaleWord(gender: string): boolean | undefined {
  if (["male", "man", "boy", "m"].includes(gender) || gender.startsWith("男")) return true;
  if (["female", "woman", "girl", "f"].includes(gender) || gender.startsWith("女")) return false;
  return undefined;
}
