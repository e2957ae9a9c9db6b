import { describe, expect, it } from "vitest";
import type { Chapter } from "../chapters/list";
import { numberOf } from "../words/chapters";
import { type Mention, taskOf } from "./mentions";
import { targetOf } from "./target";

const chapter = (number: number, title: string): Chapter => ({
  id: `d-${number}`,
  title,
  number,
  place: number,
  node: undefined,
  document: undefined,
  row: undefined,
  volume: undefined,
});
const chapters = [
  chapter(1, "第一章 旧信"),
  chapter(2, "潮声"),
  chapter(5, "雨夜"),
  chapter(12, "第十二章 灯塔"),
];
const mentions: Mention[] = chapters.map(({ id, title }) => ({ kind: "chapter", id, name: title, also: [] }));
const aim = (text: string, choice?: string | null, open = "d-5") => {
  const { chapter, by } = targetOf(text, chapters, mentions, choice, open);
  return [chapter?.id, by];
};

describe("an order", () => {
  it("is for the chapter that is open", () => {
    expect(aim("把这段改得紧张些")).toEqual(["d-5", "page"]);
    expect(aim("接着写", undefined, "none")).toEqual([undefined, "page"]);
  });

  it("is for the chapter that the author chose", () => {
    expect(aim("接着写", "d-2")).toEqual(["d-2", "choice"]);
    expect(aim("接着写", null)).toEqual([undefined, "choice"]);
  });

  it.each([
    ["把@潮声 改短", "d-2"],
    ["把第十二章改短", "d-12"],
    ["rewrite chapter 12", "d-12"],
    ["续写第 2 章", "d-2"],
    ["让《潮声》更阴冷", "d-2"],
    ["检查全书的时间线", undefined],
    ["Check the whole book", undefined],
  ])("names another one itself, and that wins: %s", (text, id) => {
    expect(aim(text, "d-1")).toEqual([id, "words"]);
  });

  it("does not take a short title for more than words", () => {
    expect(aim("写出潮声的远近")).toEqual(["d-5", "page"]);
  });

  it("is not for a chapter that only a quoted line names", () => {
    expect(aim("> 她翻到第十二章\n改短")).toEqual(["d-5", "page"]);
  });

  it("carries the place where it was given", () => {
    const place = { chapter: "d-5", range: [3, 9] as [number, number], caret: 9, view: "write" };
    expect(taskOf("改短些", mentions, place)).toEqual({
      description: "改短些",
      chapter: "d-5",
      context: { range: [3, 9], caret: 9, view: "write" },
    });
    // What is selected here is no part of another chapter.
    expect(taskOf("把@潮声 改短", mentions, place)).toEqual({
      description: "把潮声 改短",
      chapter: "d-2",
      context: { view: "write" },
    });
  });
});

it("reads numbers as people write them", () => {
  const read = ["12", "１２", "十二", "二十", "一百零三", "两千", "一二"].map(numberOf);
  expect(read).toEqual([12, 12, 12, 20, 103, 2000, 12]);
});
