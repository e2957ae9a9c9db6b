import { wordDiff } from "./wordDiff";

/** Two texts in one: what goes is struck out, what comes is marked. */
export default function WordDiff({ before, after }: { before: string; after: string }) {
  return wordDiff(before, after).map(({ kind, text }, index) => {
    const Part = kind === "same" ? "span" : kind === "added" ? "ins" : "del";
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison have no names, and are made anew together
    return <Part key={index}>{text}</Part>;
  });
}
