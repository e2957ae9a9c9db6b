import { describe, expect, it } from "vitest";
import type { CommentRow } from "../api/schema";
import { commentMarks, offsetOfCharacter, orderOf, placeOfComment } from "./comments";

const TEXT = "𠮷田推开门。\n门外是雨。";

function row(quote: string, from: number | undefined, more: Partial<CommentRow> = {}): CommentRow {
  const place = from === undefined ? null : { from, to: from + [...quote].length };
  return {
    id: "comment-1",
    document: "d-1",
    chapter: "第一章",
    quote,
    place,
    resolved: false,
    thread: [],
    ...more,
  };
}

describe("comments", () => {
  it("stand where the server says, counted in characters", () => {
    expect(offsetOfCharacter(TEXT, 1)).toBe(2);
    expect(placeOfComment(TEXT, row("门", 4))).toEqual({ from: 5, to: 6 });
    expect(placeOfComment(TEXT, row("门", 7))).toEqual({ from: 8, to: 9 });
  });
  it("are found beside what was typed meanwhile", () => {
    expect(placeOfComment(`天黑了。${TEXT}`, row("门外是雨", 7))).toEqual({ from: 12, to: 16 });
    expect(placeOfComment("门开了。", row("推开门", 2))).toBeUndefined();
    expect(placeOfComment(TEXT, row("推开门", undefined))).toBeUndefined();
  });
  it("are not marked once they are resolved, unless they are looked at", () => {
    const classes = { comment: "c", seen: "s" };
    const open = row("推开门", 2);
    const done = row("门外", 7, { id: "comment-2", resolved: true });
    expect(commentMarks(TEXT, [open, done], undefined, classes).map((mark) => mark.attributes)).toEqual([
      { class: "c", "data-comment": "comment-1" },
    ]);
    expect(
      commentMarks(TEXT, [open, done], "comment-2", classes).map((mark) => mark.attributes.class),
    ).toEqual(["c", "c s"]);
  });
  it("are sent to agents with all replies", () => {
    const entry = (text: string) => ({ author: "person", at: "", text });
    expect(orderOf(row("门", 4, { thread: [entry(" 太平淡 "), entry(""), entry("写出声音")] }))).toBe(
      "太平淡\n写出声音",
    );
  });
});
