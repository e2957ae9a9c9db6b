import type { ChapterEdit, ChapterRow } from "../api/schema";
import { nameOf } from "./list";

/** The side of a row on which something is dropped. */
export type Side = "before" | "after";

/** Returns the edits that put `moved` directly behind `target`, into its volume. */
function moveAfter(rows: readonly ChapterRow[], moved: ChapterRow, target: ChapterRow): ChapterEdit[] {
  const at = indexOf(rows, target);
  if (isSame(moved, target)) return [];
  const follows = rows[at + 1];
  if (follows && isSame(follows, moved) && isOneVolume(moved, target)) return [];
  return [behind(nameOf(moved), nameOf(target))];
}

/**
 * Returns the edits that put `moved` directly before `target`, into its volume.
 *
 * The API puts a chapter only behind another. Before the first chapter of a later volume it takes two edits: `moved`
 * behind `target`, then `target` behind `moved`.
 */
function moveBefore(rows: readonly ChapterRow[], moved: ChapterRow, target: ChapterRow): ChapterEdit[] {
  if (isSame(moved, target)) return [];
  const at = indexOf(rows, target);
  const above = rows[at - 1];
  if (above && isSame(above, moved) && isOneVolume(moved, target)) return [];
  const others = rows.filter((row) => !isSame(row, moved));
  const previous = others[indexOf(others, target) - 1];
  if (!previous) return [behind(nameOf(moved), null)];
  if (isOneVolume(previous, target)) return [behind(nameOf(moved), nameOf(previous))];
  return [behind(nameOf(moved), nameOf(target)), behind(nameOf(target), nameOf(moved))];
}

/** Returns the edits of one step up or down. At the border of a volume, the step goes into the next volume. */
export function moveStep(rows: readonly ChapterRow[], moved: ChapterRow, by: 1 | -1): ChapterEdit[] {
  const neighbour = rows[indexOf(rows, moved) + by];
  if (!neighbour) return [];
  const isInside = isOneVolume(neighbour, moved);
  return (by === 1) === isInside ? moveAfter(rows, moved, neighbour) : moveBefore(rows, moved, neighbour);
}

/**
 * Returns the edits that put `moved` where the chapter with this number is now; undefined if no chapter has the number.
 * Where each volume restarts numbering, the chapter's own volume is searched first.
 */
export function moveToNumber(
  rows: readonly ChapterRow[],
  moved: ChapterRow,
  number: number,
): ChapterEdit[] | undefined {
  const numbered = rows.filter((row) => row.number === number);
  const target = numbered.find((row) => isOneVolume(row, moved)) ?? numbered[0];
  if (!target) return undefined;
  const isDown = indexOf(rows, target) > indexOf(rows, moved);
  return isDown ? moveAfter(rows, moved, target) : moveBefore(rows, moved, target);
}

/** Returns the edits for a drop of `moved` on a side of `target`. */
export function moveBeside(
  rows: readonly ChapterRow[],
  moved: ChapterRow,
  target: ChapterRow,
  side: Side,
): ChapterEdit[] {
  return side === "before" ? moveBefore(rows, moved, target) : moveAfter(rows, moved, target);
}

/** The position of a new chapter. */
export type Position = {
  /** The index that it is to have. */
  index: number;
  volume: string | undefined;
  /** The chapter behind which it is inserted; the beginning of the book without it. */
  after: ChapterRow | undefined;
  /** A chapter that is moved behind the new one afterwards. */
  pushed: ChapterRow | undefined;
};

/** Returns the position beside `target`, or at the end of the book without a target. */
export function positionOf(rows: readonly ChapterRow[], target?: ChapterRow, side: Side = "after"): Position {
  if (!target) return { index: rows.length, ...inside(rows.at(-1)), after: rows.at(-1), pushed: undefined };
  const at = indexOf(rows, target);
  if (side === "after") return { index: at + 1, ...inside(target), after: target, pushed: undefined };
  const previous = rows[at - 1];
  if (!previous || isOneVolume(previous, target)) {
    return { index: at, ...inside(target), after: previous, pushed: undefined };
  }
  return { index: at, ...inside(target), after: target, pushed: target };
}

/**
 * Returns the edits that put a text, added at the end of the book, into the place of its chapter: the API gives an added
 * text the last place. `rows` are the other chapters, `index` is the chapter's index among them.
 */
export function placeText(
  rows: readonly ChapterRow[],
  name: string,
  index: number,
  volume: string | undefined,
): ChapterEdit[] {
  if (rows.slice(index).every(({ documents }) => documents.length === 0)) return [];
  const [previous, next] = [rows[index - 1], rows[index]];
  if (previous && volumeOf(previous) === volume) return [behind(name, nameOf(previous))];
  if (!next || volumeOf(next) !== volume) return [];
  if (!previous) return [behind(name, null)];
  return [behind(name, nameOf(next)), behind(nameOf(next), name)];
}

export function indexOf(rows: readonly ChapterRow[], wanted: ChapterRow): number {
  return rows.findIndex((row) => isSame(row, wanted));
}

function behind(chapter: string, after: string | null): ChapterEdit {
  return { action: "move", chapter, after };
}

function isSame(one: ChapterRow, other: ChapterRow): boolean {
  return nameOf(one) === nameOf(other);
}

export function volumeOf(row: ChapterRow): string | undefined {
  return row.volume ?? undefined;
}

function inside(row: ChapterRow | undefined): { volume: string | undefined } {
  return { volume: row && volumeOf(row) };
}

function isOneVolume(one: ChapterRow, other: ChapterRow): boolean {
  return volumeOf(one) === volumeOf(other);
}
