import { diffArrays } from "diff";
import type { Hunk } from "./compare";

const segmenters = new Map<string, Intl.Segmenter>();

/** Splits a text into sentences, each with the space after it; joined they are the text again. */
export function sentencesOf(text: string, language: string): string[] {
  const segmenter = segmenters.get(language) ?? new Intl.Segmenter(language, { granularity: "sentence" });
  segmenters.set(language, segmenter);
  const sentences: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const last = sentences[sentences.length - 1];
    // An empty line belongs to the sentence before it, or to the first of all.
    if (last !== undefined && (segment.trim() === "" || last.trim() === "")) {
      sentences[sentences.length - 1] = last + segment;
    } else sentences.push(segment);
  }
  return sentences;
}

/**
 * Returns what makes `after` of `before`, sentence by sentence, in order. Sentences that exchange others of another
 * number are spread over them, so that each change is small enough to be taken by itself.
 */
export function sentenceHunks(before: string, after: string, language: string): Hunk[] {
  const found: Hunk[] = [];
  let at = 0;
  let removed: string[] = [];
  let added: string[] = [];
  const close = () => {
    found.push(...spread(at - lengthOf(removed), removed, added));
    removed = [];
    added = [];
  };
  for (const change of diffArrays(sentencesOf(before, language), sentencesOf(after, language))) {
    if (change.removed) {
      removed.push(...change.value);
      at += lengthOf(change.value);
    } else if (change.added) added.push(...change.value);
    else {
      close();
      at += lengthOf(change.value);
    }
  }
  close();
  return found;
}

/** Pairs removed sentences with added ones, a share of the longer list for each of the shorter. */
function spread(from: number, removed: readonly string[], added: readonly string[]): Hunk[] {
  const count = removed.length === 0 ? added.length : Math.min(removed.length, Math.max(added.length, 1));
  const share = (list: readonly string[], index: number) =>
    list
      .slice(Math.floor((index * list.length) / count), Math.floor(((index + 1) * list.length) / count))
      .join("");
  const hunks: Hunk[] = [];
  let at = from;
  for (let index = 0; index < count; index++) {
    const old = share(removed, index);
    const text = share(added, index);
    const [rest, put] = withoutSharedEnd(old, text);
    if (rest !== put) hunks.push({ from: at, to: at + rest.length, text: put });
    at += old.length;
  }
  return hunks;
}

/** Leaves out the white space that both end with, so that a line break which stays is not replaced. */
function withoutSharedEnd(one: string, other: string): [string, string] {
  let shared = 0;
  const most = Math.min(one.length, other.length);
  while (shared < most) {
    const last = one[one.length - 1 - shared] ?? "";
    if (last !== other[other.length - 1 - shared] || last.trim() !== "") break;
    shared++;
  }
  return [one.slice(0, one.length - shared), other.slice(0, other.length - shared)];
}

function lengthOf(list: readonly string[]): number {
  return list.reduce((sum, one) => sum + one.length, 0);
}
