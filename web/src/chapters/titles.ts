import type { ChapterRow } from "../api/schema";
import { volumeOf } from "./order";

/** The titles that a new chapter may have, in the language of the book. */
export type NewTitles = {
  /** The first chapter of an empty book. */
  first: string;
  /** A title without a number. */
  plain: string;
  /** The same for a second one, such as `新的一章（2）`. */
  again(count: number): string;
};

const HAN =
  /^(\u7b2c\s*)([0-9]+|[^\s0-9A-Za-z]{1,8}?)(\s*[\u7ae0\u56de\u8282\u7bc0\u8bdd\u8a71\u5e55\u6298\u96c6\u8bb2\u8bfe\u591c])/u;
const LATIN = /^(chapter|ch\.?|episode|lesson|section)(\s+)\S/i;
const BARE = /^[0-9]+(?=$|[\s.\u3001\uff0e])/;

/**
 * Returns a title for a new chapter at `index`: numbered as the chapter before it in the volume, if that number is free.
 *
 * Titles are unique in a book; `taken` are the titles of all its nodes and texts.
 */
export function newTitle(
  rows: readonly ChapterRow[],
  index: number,
  volume: string | undefined,
  taken: readonly string[],
  titles: NewTitles,
): string {
  const used = new Set([...taken, ...rows.map(({ title }) => title)].map(fold));
  const isFree = (title: string | undefined): title is string =>
    title !== undefined && !used.has(fold(title));
  if (rows.length === 0 && isFree(titles.first)) return titles.first;
  const isHere = (row: ChapterRow) => volumeOf(row) === volume;
  const previous = rows.slice(0, index).findLast((row) => isHere(row) && row.number != null);
  if (previous?.number != null) {
    const next = previous.number + 1;
    const numbered = numberedLike(previous.title, next);
    const isTaken = rows.some((row) => isHere(row) && row.number === next);
    if (isFree(numbered) && !isTaken) return numbered;
  }
  let title = titles.plain;
  for (let count = 2; !isFree(title); count++) title = titles.again(count);
  return title;
}

/** Returns a heading with the number in the style of `title`; undefined if the title has no number. */
export function numberedLike(title: string, number: number): string | undefined {
  const han = HAN.exec(title);
  if (han) {
    const [, word = "", written = "", unit = ""] = han;
    return `${word}${/^[0-9]/.test(written) ? padded(number, written) : hanNumeral(number)}${unit}`.trim();
  }
  const latin = LATIN.exec(title);
  if (latin) return `${latin[1]}${latin[2]}${number}`;
  const bare = BARE.exec(title);
  return bare ? padded(number, bare[0]) : undefined;
}

function padded(number: number, like: string): string {
  return like.startsWith("0") ? String(number).padStart(like.length, "0") : String(number);
}

const DIGITS = "\u96f6\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d";
const UNITS = ["", "\u5341", "\u767e", "\u5343"];

/** Writes a number below 10,000 in Chinese numerals, others in digits. */
export function hanNumeral(number: number): string {
  if (number <= 0 || number >= 10_000) return String(number);
  const digits = [...String(number)].map(Number);
  let written = "";
  digits.forEach((digit, index) => {
    const unit = UNITS[digits.length - 1 - index] ?? "";
    if (digit > 0) written += `${DIGITS[digit]}${unit}`;
    else if (!written.endsWith("\u96f6") && digits.slice(index).some((rest) => rest > 0)) written += "\u96f6";
  });
  // Ten to nineteen are written without the leading one.
  return number >= 10 && number < 20 ? written.slice(1) : written;
}

function fold(title: string): string {
  return title.normalize("NFKC").trim().toLowerCase().replace(/\s+/g, " ");
}
