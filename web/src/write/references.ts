import type { Book, Piece } from "../story/book";
import { patternOf } from "../story/mentions";

/** A name that can be put into the text, and whose it is. */
export type Reference = { name: string; piece: Piece };

/** The beginning of a reference right before the caret: where its sign stands in the line, and what follows it. */
export type Begun = { from: number; word: string };

/** What of a story has a name that prose uses. */
const KINDS: readonly Piece["kind"][] = ["character", "location", "organisation", "item"];
/** An address of mail is no reference. */
const BEGUN = /(?<![\p{Script=Latin}\d.])[@＠]([^@＠\p{P}\p{Z}]{0,24})$/u;
const SHOWN = 8;

/** Every name and other name that prose may use, people first. */
export function referencesOf(book: Book): Reference[] {
  const pieces = book.pieces.filter(({ kind }) => KINDS.includes(kind));
  const known = new Set<string>();
  return pieces.flatMap((piece) =>
    [piece.name, ...piece.alias].flatMap((name) => {
      const key = name.trim();
      if (key === "" || known.has(key)) return [];
      known.add(key);
      return [{ name: key, piece }];
    }),
  );
}

/** The reference that is being typed, if the line before the caret ends with one. */
export function begunIn(before: string): Begun | undefined {
  const found = BEGUN.exec(before);
  return found ? { from: found.index, word: found[1] ?? "" } : undefined;
}

/** The names that a word may be the beginning of; then those that hold it; then those of a piece that is named so. */
export function fitting(references: readonly Reference[], word: string): Reference[] {
  const sought = word.toLowerCase();
  const rank = ({ name, piece }: Reference): number => {
    const own = name.toLowerCase();
    if (sought === "") return name === piece.name ? 0 : 3;
    if (own.startsWith(sought) || own.split(/\s+/).some((part) => part.startsWith(sought))) return 0;
    if (own.includes(sought)) return 1;
    return name === piece.name && piece.alias.some((other) => other.toLowerCase().includes(sought)) ? 2 : 3;
  };
  return references
    .map((reference) => ({ reference, rank: rank(reference) }))
    .filter((one) => one.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, SHOWN)
    .map(({ reference }) => reference);
}

/** Finds the names in a line; nothing if there are no names. */
export function nameFinder(references: readonly Reference[]) {
  const owners = new Map(references.map(({ name, piece }) => [name, piece]));
  const pattern = owners.size > 0 ? patternOf([...owners.keys()]) : undefined;
  /** The name that stands at a place of a line, or right before it. */
  return (line: string, offset: number): (Reference & { from: number; to: number }) | undefined => {
    if (!pattern) return undefined;
    for (const { index, 0: name } of line.matchAll(pattern)) {
      const piece = owners.get(name);
      if (piece && index <= offset && offset <= index + name.length) {
        return { name, piece, from: index, to: index + name.length };
      }
    }
    return undefined;
  };
}
