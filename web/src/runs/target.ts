import type { Chapter } from "../chapters/list";
import { isWholeBook, numberIn } from "../words/chapters";
import { type Mention, mentionedIn } from "./mentions";

/** The chapter that an order is for, and who says so: its own words, the author's choice, or the open page. */
export type Target = { chapter: Chapter | undefined; by: "words" | "choice" | "page" };

/** A shorter title without a number may be any words; it names its chapter only in quotation marks. */
const LONG_TITLE = 6;

/**
 * Finds the chapter that an order is for. The order's own words win: a reference with `@`, a title, a number, the whole
 * book. Then comes the author's choice beside the box (`null` is the whole book), then the chapter that is open.
 */
export function targetOf(
  text: string,
  chapters: readonly Chapter[],
  mentions: readonly Mention[],
  choice: string | null | undefined,
  open: string | undefined,
): Target {
  const named = namedIn(text, chapters, mentions);
  if (named) return { chapter: named, by: "words" };
  if (isWholeBook(text)) return { chapter: undefined, by: "words" };
  if (choice !== undefined) return { chapter: chapterOf(chapters, choice), by: "choice" };
  return { chapter: chapterOf(chapters, open), by: "page" };
}

/** The chapter with that id, or with that outline node. */
function chapterOf(chapters: readonly Chapter[], wanted: string | null | undefined): Chapter | undefined {
  return wanted ? chapters.find(({ id, node }) => id === wanted || node?.id === wanted) : undefined;
}

function namedIn(
  text: string,
  chapters: readonly Chapter[],
  mentions: readonly Mention[],
): Chapter | undefined {
  const mention = mentionedIn(text, mentions).find(({ kind }) => kind === "chapter");
  if (mention) return chapterOf(chapters, mention.id);
  // Quoted lines are the author's text, not the order.
  const order = text.replace(/^>.*$/gm, "");
  const titled = chapters
    .filter(({ title }) => isTitleIn(order, title.trim()))
    .sort((a, b) => b.title.length - a.title.length)[0];
  if (titled) return titled;
  const number = numberIn(order);
  if (number === undefined) return undefined;
  return chapters.find((chapter) => headingNumber(chapter) === number);
}

function isTitleIn(order: string, title: string): boolean {
  if (title === "" || !order.includes(title)) return false;
  if (title.length >= LONG_TITLE || numberIn(title) !== undefined) return true;
  return QUOTES.some((marks) => order.includes(marks[0] + title + marks[1]));
}

const QUOTES = ["《》", "「」", "“”", '""'];

/** The number that a chapter's heading has, else its place in the book. */
function headingNumber({ title, number }: Chapter): number | undefined {
  return numberIn(title) ?? number;
}
