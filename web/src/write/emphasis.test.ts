import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { count } from "./count";
import { emphasisMarks, emphasisOf, toggled, withoutEmphasis } from "./emphasis";

type Case = { line: string; plain: string; spans: [string, string][] };
const cases = JSON.parse(
  readFileSync("../crates/qingyu-story/src/prose/emphasis.cases.json", "utf8"),
) as Case[];

describe("emphasis", () => {
  it.each(cases)("of $line is read as the server reads it", ({ line, plain, spans }) => {
    const read = emphasisOf(line).stretches.map(({ from, to, isBold, isItalic }) => [
      line.slice(from, to),
      `${isBold ? "b" : ""}${isItalic ? "i" : ""}`,
    ]);
    expect(read).toEqual(spans);
    expect(withoutEmphasis(line)).toBe(plain);
  });

  it("is not counted", () => {
    expect(count("他*没有*来。").full).toBe(count("他没有来。").full);
  });

  it("is drawn by its place in the whole text", () => {
    const drawn = emphasisMarks("一。\n**二**三", { bold: "b", italic: "i", sign: "s" });
    expect(drawn.map(({ from, to, attributes }) => [from, to, attributes.class])).toEqual([
      [5, 6, "b"],
      [3, 5, "s"],
      [6, 8, "s"],
    ]);
  });

  it.each([
    ["他没有来", 1, 3, "*", "他*没有*来"],
    ["他*没有*来", 2, 4, "*", "他没有来"],
    ["他*没有*来", 1, 5, "*", "他没有来"],
    ["他**没有**来", 3, 5, "*", "他***没有***来"],
    ["他***没有***来", 4, 6, "*", "他**没有**来"],
    ["他***没有***来", 4, 6, "**", "他*没有*来"],
    ["一二\n三四", 0, 5, "**", "**一二**\n**三四**"],
    [" 一 ", 0, 3, "*", " *一* "],
  ] as const)("of %j from %i to %i with %s", (text, from, to, sign, wanted) => {
    const change = toggled(text, from, to, sign);
    expect(change && text.slice(0, change.from) + change.text + text.slice(change.to)).toBe(wanted);
  });

  it("puts a pair around the caret, and none around white space", () => {
    expect(toggled("一二", 1, 1, "**")).toEqual({ from: 1, to: 1, text: "****", select: { from: 3, to: 3 } });
    expect(toggled("一 二", 1, 2, "*")).toBeUndefined();
  });
});
