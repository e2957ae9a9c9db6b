import { describe, expect, it } from "vitest";
import { tidy } from "./tidy";

const cases: [string, string, string][] = [
  ["typed indents", "　　他走了。  \n  她没走。", "他走了。\n她没走。"],
  ["blank lines as a rule", "甲。\n\n乙。\n\n\n丙。", "甲。\n乙。\n丙。"],
  [
    "a pause among many lines",
    "甲。\n乙。\n丙。\n丁。\n\n\n戊。\n己。",
    "甲。\n乙。\n丙。\n丁。\n\n戊。\n己。",
  ],
  ["half-width marks", "他说:你好,世界!真的?", "他说：你好，世界！真的？"],
  ["a full stop", "他走了. 她没走.", "他走了。她没走。"],
  ["straight quotes", '"来了,"他说,"坐."', "“来了，”他说，“坐。”"],
  ["an odd quote stays", '他说:"来了', '他说："来了'],
  ["dots and dashes", "等等...他--走了。。。", "等等……他——走了……"],
  ["numbers and Latin stay", "约3.5米, 8:30 见 Mr. Lee, OK", "约3.5米，8:30 见 Mr. Lee, OK"],
  [
    "addresses stay",
    "见https://a.example/x?y=1,2 和 me@a.example,好",
    "见https://a.example/x?y=1,2 和 me@a.example，好",
  ],
  ["brackets around Han", "他(其实是她)来了(ok)", "他（其实是她）来了(ok)"],
  ["scene breaks and headings", "甲。\n***\n# 第一章, 雨\n乙。", "甲。\n***\n# 第一章, 雨\n乙。"],
  ["English lines", '  "No," she said...', '"No," she said...'],
];

describe("tidy", () => {
  it.each(cases)("%s", (_, before, after) => {
    expect(tidy(before)).toBe(after);
  });
  it.each(cases)("%s: twice is once", (_, before) => {
    expect(tidy(tidy(before))).toBe(tidy(before));
  });
});
