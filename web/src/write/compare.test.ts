import { describe, expect, it } from "vitest";
import { applied, hunks, places } from "./compare";

const pairs: [string, string][] = [
  ["", "甲"],
  ["甲", ""],
  ["他跳进河里。", "他在河岸上停住脚步。"],
  ["甲\n乙\n丙", "甲\n丙"],
  ["甲\n丙", "甲\n乙\n丙"],
  ["甲", "甲\n乙"],
  ["甲\n乙", "甲乙"],
  ["a  b", "a b"],
  [
    "雨是傍晚落下来的。林雨推开旧宅的门。\n没有人。\n尾",
    "雨是清晨落下来的。林雨关上旧宅的门。\n没有一个人。\n尾\n",
  ],
  ["The box held nothing.", "The old box held nothing at all."],
  ["𠮷了", "𠮶了"],
  ["一\n\n\n二", "一\n二\n\n"],
];

describe("differences", () => {
  it.each(pairs)("%j becomes %j", (before, after) => {
    expect(applied(before, hunks(before, after))).toBe(after);
  });

  it.each(pairs)("%j and %j are both in the pieces", (before, after) => {
    for (const pieces of places(before, after)) {
      const old = pieces.filter(({ op }) => op !== "added").map(({ text }) => text);
      const fresh = pieces.filter(({ op }) => op !== "removed").map(({ text }) => text);
      expect(before).toContain(old.join(""));
      expect(after).toContain(fresh.join(""));
    }
  });

  it("change words and not paragraphs", () => {
    const found = hunks(
      "雨是傍晚落下来的。林雨推开旧宅的门。\n没有人。",
      "雨是清晨落下来的。林雨推开旧宅的门。\n没有人。",
    );
    expect(found).toEqual([{ from: 2, to: 4, text: "清晨" }]);
  });

  it("cut Han words where they differ, and no others", () => {
    expect(hunks("顾家的门开着。", "顾家的大门开着。")).toEqual([{ from: 3, to: 3, text: "大" }]);
    expect(hunks("She held the box.", "She helped the box.")).toEqual([{ from: 4, to: 8, text: "helped" }]);
    expect(hunks("他生在 1925 年的春天。", "他生在 1926 年的春天。")).toEqual([
      { from: 4, to: 8, text: "1926" },
    ]);
  });

  it("take strangers as a whole, even long ones, in good time", () => {
    const line = (seed: number) =>
      Array.from({ length: 4_000 }, (_, i) => String.fromCharCode(0x4e00 + ((i * seed) % 9_000))).join("");
    const [before, after] = [line(7), line(11)];
    expect(applied(before, hunks(before, after))).toBe(after);
  });
});
