import { describe, expect, it } from "vitest";
import type { ChapterEdit, ChapterRow } from "../api/schema";
import { moveBeside, moveStep, moveToNumber, placeText, positionOf } from "./order";

const row = (place: number, volume: string | null, number: number | null, isWritten = true): ChapterRow => ({
  place,
  number,
  title: `${place}`,
  node: `o-${place}`,
  documents: isWritten ? [`d-${place}`] : [],
  volume,
});
/** A prologue, and two volumes that both begin with chapter 1. */
const rows = [
  row(1, null, null),
  row(2, "one", 1),
  row(3, "one", 2),
  row(4, "two", 1),
  row(5, "two", 2, false),
] as const;
const [prologue, first, second, third, last] = rows;

/** `o-3>o-2`: the third goes behind the second. */
const told = (edits: readonly ChapterEdit[] | undefined) =>
  edits?.map((edit) => (edit.action === "move" ? `${edit.chapter}>${edit.after}` : edit.action));

describe("moving a chapter", () => {
  it("takes one edit within a volume", () => {
    expect(told(moveStep(rows, first, 1))).toEqual(["o-2>o-3"]);
    expect(told(moveBeside(rows, third, second, "before"))).toEqual(["o-4>o-2"]);
    expect(told(moveBeside(rows, last, prologue, "before"))).toEqual(["o-5>null"]);
  });

  it("goes into the next volume at a border, without passing a chapter", () => {
    expect(told(moveStep(rows, third, -1))).toEqual(["o-4>o-3"]);
    expect(told(moveStep(rows, second, 1))).toEqual(["o-3>o-4", "o-4>o-3"]);
  });

  it("takes two edits to the beginning of a later volume", () => {
    expect(told(moveBeside(rows, last, third, "before"))).toEqual(["o-5>o-4", "o-4>o-5"]);
  });

  it("does nothing where the chapter is already", () => {
    expect(moveStep(rows, prologue, -1)).toEqual([]);
    expect(moveStep(rows, last, 1)).toEqual([]);
    expect(moveBeside(rows, second, first, "after")).toEqual([]);
    expect(moveBeside(rows, first, second, "before")).toEqual([]);
    expect(moveBeside(rows, first, first, "before")).toEqual([]);
  });

  it("finds a number in the chapter's own volume first", () => {
    expect(told(moveToNumber(rows, last, 1))).toEqual(["o-5>o-4", "o-4>o-5"]);
    expect(told(moveToNumber(rows, first, 2))).toEqual(["o-2>o-3"]);
    expect(told(moveToNumber(rows, prologue, 1))).toEqual(["o-1>o-2"]);
    expect(moveToNumber(rows, first, 9)).toBeUndefined();
  });
});

describe("a new chapter", () => {
  it("stands at the end without a target, and in the volume of its target with one", () => {
    expect(positionOf(rows)).toEqual({ index: 5, volume: "two", after: last, pushed: undefined });
    expect(positionOf([])).toEqual({ index: 0, volume: undefined, after: undefined, pushed: undefined });
    expect(positionOf(rows, second, "before")).toMatchObject({ index: 2, volume: "one", after: first });
    expect(positionOf(rows, prologue, "before")).toMatchObject({ index: 0, after: undefined });
  });

  it("is put before the first chapter of a volume by moving that behind it", () => {
    expect(positionOf(rows, third, "before")).toEqual({
      index: 3,
      volume: "two",
      after: third,
      pushed: third,
    });
  });

  it("has its text in the order of the book, unless nothing written follows", () => {
    const others = (place: number) => rows.filter((row) => row.place !== place);
    expect(placeText(rows, "new", 5, "two")).toEqual([]);
    expect(placeText(rows, "new", 4, "two")).toEqual([]);
    expect(told(placeText(rows, "new", 2, "one"))).toEqual(["new>o-2"]);
    expect(told(placeText(others(1), "o-1", 0, "one"))).toEqual(["o-1>null"]);
    expect(told(placeText(others(4).concat(row(6, "two", 3)), "o-4", 3, "two"))).toEqual([
      "o-4>o-5",
      "o-5>o-4",
    ]);
    // A move would take the only chapter of a volume out of it.
    expect(placeText(rows, "new", 3, "between")).toEqual([]);
  });
});
