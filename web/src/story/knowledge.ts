import type { Fact } from "../api/story";
import { type Book, fold } from "./book";

/** A fact as somebody has it by then. */
export type Known = {
  fact: Fact;
  /** The chapter from which they know it; none if it cannot be told. */
  since: number | undefined;
  how: string;
  toldBy: string | null;
};

/** Who has what at the end of a chapter. */
export type Knowledge = {
  /** What they know to be so, the newest first. */
  knows: Known[];
  /** What they heard, believe or were lied about, which may not be so. */
  believes: Known[];
  /** What the reader has been told and they do not know. */
  hidden: { fact: Fact; told: number | undefined }[];
};

/** What is told as if it were so. */
export function isCertain(fact: Fact): boolean {
  return fact.mode === "narrated" || fact.mode === "flashback";
}

/** The chapter that asserts a fact. */
export function toldIn(book: Book, fact: Fact): number | undefined {
  return book.chapterOf(fact.source?.document);
}

/** What somebody knows at the end of a chapter, and what the reader knows beyond that. */
export function knowledgeAt(book: Book, who: string, chapter: number): Knowledge {
  const piece = book.named(who);
  const names = new Set([who, piece?.id ?? "", piece?.name ?? "", ...(piece?.alias ?? [])].map(fold));
  const known: Known[] = [];
  const hidden: Knowledge["hidden"] = [];
  for (const fact of book.story.facts) {
    const told = toldIn(book, fact);
    const knower = fact.known_by.find((knower) => names.has(fold(knower.who)));
    const since = knower && (book.chapterOf(knower.since) ?? told);
    if (knower && (since ?? 0) <= chapter) {
      known.push({ fact, since, how: knower.how, toldBy: knower.told_by ?? null });
    } else if (told !== undefined && told <= chapter && isCertain(fact)) {
      hidden.push({ fact, told });
    }
  }
  known.sort((a, b) => (b.since ?? 0) - (a.since ?? 0));
  hidden.sort((a, b) => (b.told ?? 0) - (a.told ?? 0));
  return {
    knows: known.filter(({ fact }) => isCertain(fact)),
    believes: known.filter(({ fact }) => !isCertain(fact)),
    hidden,
  };
}
