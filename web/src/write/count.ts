import { withoutEmphasis } from "./emphasis";

/** How long a text is, by the rules that editors count with. */
export type Count = {
  /** Han characters, punctuation, and Latin words or numbers, each once. */
  full: number;
  /** The same without punctuation. */
  pure: number;
  /** Everything but white space. */
  characters: number;
  /** Words and numbers that are not Han; what English books are counted in. */
  words: number;
  /** Lines that hold something. */
  paragraphs: number;
};

const HAN = /\p{Script=Han}/gu;
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’.-][\p{L}\p{N}]+)*/gu;
const MARK = /[\p{P}\p{S}]/gu;
const SPACE = /\s+/gu;

export function count(marked: string): Count {
  const text = withoutEmphasis(marked);
  const han = text.match(HAN)?.length ?? 0;
  // Punctuation is counted after the words are taken out: what stands within “3.5” or “don’t” belongs to the word.
  const latin = text.replace(HAN, " ");
  const words = latin.match(WORD)?.length ?? 0;
  const marks = latin.replace(WORD, " ").match(MARK)?.length ?? 0;
  return {
    full: han + marks + words,
    pure: han + words,
    characters: [...text.replace(SPACE, "")].length,
    words,
    paragraphs: text.split("\n").filter((line) => line.trim() !== "").length,
  };
}

/** The number that stands for the length of a book in that language. */
export function lengthOf(counted: Count, language: string): number {
  return language === "en" ? counted.words : counted.full;
}

/** A text stays the same object while it is unchanged, so that each is counted once. */
const lengths = new WeakMap<object, number>();

/** The length of a text of the book: the same number in the editor, the tree, the outline and the overview. */
export function lengthOfText(document: { text: string }, language: string): number {
  const known = lengths.get(document);
  if (known !== undefined) return known;
  const length = lengthOf(count(document.text), language);
  lengths.set(document, length);
  return length;
}
