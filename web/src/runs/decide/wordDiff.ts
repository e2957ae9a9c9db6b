import { diffWordsWithSpace } from "diff";

export type Part = { kind: "same" | "added" | "removed"; text: string };

/** Where two texts differ, word by word; Chinese is cut into words as well. */
export function wordDiff(before: string, after: string): Part[] {
  const options = isChinese(before + after)
    ? { intlSegmenter: new Intl.Segmenter("zh", { granularity: "word" }) }
    : {};
  return diffWordsWithSpace(before, after, options).map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

function isChinese(text: string): boolean {
  return /\p{Script=Han}/u.test(text);
}
