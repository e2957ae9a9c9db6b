import { useMemo } from "react";
import type { Book } from "./book";

/** Somebody or something, under all its names. */
export type Named = { id: string; names: readonly string[] };

/** A text as a pattern that finds just it. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

const LATIN = /[\p{Script=Latin}\d]/u;

/**
 * How often each is named in each text. Where one name stands within another, as a surname in a full name, only the
 * longer one counts; Latin names count as whole words.
 */
export function mentions(texts: readonly string[], named: readonly Named[]): Map<string, number[]> {
  const owners = new Map<string, string>();
  for (const { id, names } of named) {
    for (const name of names) if (name.trim() !== "" && !owners.has(name)) owners.set(name, id);
  }
  const counts = new Map(named.map(({ id }) => [id, texts.map(() => 0)]));
  if (owners.size === 0) return counts;
  const pattern = patternOf([...owners.keys()]);
  texts.forEach((text, index) => {
    for (const [found] of text.matchAll(pattern)) {
      const count = counts.get(owners.get(found) ?? "");
      if (count) count[index] = (count[index] ?? 0) + 1;
    }
  });
  return counts;
}

/** Finds any of these names, the longest that stands at a place; there must be one at least. */
export function patternOf(names: readonly string[]): RegExp {
  const longestFirst = [...names].sort((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(whole).join("|"), "gu");
}

/** The name as a pattern; a Latin one may not be a part of a longer word. */
function whole(name: string): string {
  const before = LATIN.test(name.charAt(0)) ? "(?<![\\p{Script=Latin}\\d])" : "";
  const after = LATIN.test(name.charAt(name.length - 1)) ? "(?![\\p{Script=Latin}\\d])" : "";
  return before + literally(name) + after;
}

/** How often the cast, places, organisations and things are named in each chapter. */
export function useMentions(book: Book): Map<string, number[]> {
  return useMemo(() => {
    const kinds = ["character", "location", "organisation", "item"];
    const named = book.pieces
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ id, name, alias }) => ({ id, names: [name, ...alias] }));
    return mentions(
      book.chapters.map(({ document }) => document?.text ?? ""),
      named,
    );
  }, [book]);
}

/** The number of the first chapter that counts any; none if none does. */
export function firstOf(counts: readonly number[] | undefined): number | undefined {
  const index = counts?.findIndex((count) => count > 0) ?? -1;
  return index < 0 ? undefined : index + 1;
}

/** In how many chapters it counts any. */
export function chaptersWith(counts: readonly number[] | undefined): number {
  return counts?.filter((count) => count > 0).length ?? 0;
}
