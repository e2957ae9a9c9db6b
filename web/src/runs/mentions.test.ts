import { expect, it } from "vitest";
import { type Mention, matching, mentionAt, taskOf, withMention } from "./mentions";

const mention = (kind: Mention["kind"], id: string, name: string, also: string[] = []): Mention => ({
  kind,
  id,
  name,
  also,
});
const all = [
  mention("character", "c-1", "林雨", ["小雨"]),
  mention("character", "c-2", "林雨生"),
  mention("chapter", "d-1", "第一章 旧信"),
  mention("field", "intent/report", "intent/report", ["意图报告"]),
];

it("finds the word that is being pointed with, by either sign", () => {
  expect(mentionAt("问 @林", 4)).toEqual({ from: 2, word: "林" });
  expect(mentionAt("问＠", 2)).toEqual({ from: 1, word: "" });
  expect(mentionAt("问 @林雨 好", 7)).toBeUndefined();
});

it("offers what begins with the word first, aliases and titles too", () => {
  expect(matching(all, "雨").map((one) => one.id)).toEqual(["c-1", "c-2"]);
  expect(matching(all, "小").map((one) => one.id)).toEqual(["c-1"]);
  expect(matching(all, "意图").map((one) => one.id)).toEqual(["intent/report"]);
  expect(matching(all, "")).toHaveLength(4);
});

it("puts a name in place of its beginning", () => {
  const [first] = all;
  if (!first) throw new Error("there is one");
  expect(withMention("问 @林 吗", 4, 2, first)).toEqual({ text: "问 @林雨 吗", caret: 6 });
});

it("tells chapter and characters of a task apart", () => {
  expect(taskOf("让 @林雨生 在＠第一章 旧信 里出现", all)).toEqual({
    description: "让 林雨生 在第一章 旧信 里出现",
    chapter: "d-1",
    context: { characters: ["林雨生"] },
  });
  expect(taskOf("写一段", all)).toEqual({ description: "写一段" });
});
