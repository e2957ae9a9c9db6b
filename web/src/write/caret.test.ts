import { describe, expect, it } from "vitest";
import type { Outcome } from "../api/schema";
import { charactersIn, commandIn, fitted, paragraphAt, resultOf, startOf } from "./caret";
import { applied } from "./compare";
import { sentenceHunks, sentencesOf } from "./sentences";

const base = "𠮷雨停了。她走了。";
const wanted = { project: "p", document: "d-5", words: "改短些", base } as const;

describe("a command as a run", () => {
  it("names its chapter and counts characters, and never writes into the project", () => {
    expect(startOf({ ...wanted, command: "shorten", from: 6, to: 10 })).toEqual({
      kind: "task",
      project: "p",
      task: {
        agent: "creative",
        chapter: "d-5",
        description: "改短些",
        context: { kind: "rewrite", change: false, range: [5, 9] },
      },
      options: { writes: "never" },
    });
    expect(charactersIn(base, 6)).toBe(5);
  });

  it("goes on from the caret, not from the end", () => {
    const start = startOf({ ...wanted, command: "continue", from: 6, to: 6 });
    expect(start).toMatchObject({ task: { context: { kind: "continue", previous_content: "𠮷雨停了。" } } });
    expect(startOf({ ...wanted, command: "dialogue", from: 6, to: 6 })).toMatchObject({
      task: { context: { kind: "dialogue", words: 30 } },
    });
  });
});

const outcome = (spans: object[], output = "") =>
  ({
    project: "p",
    run: "r",
    status: "done",
    made: {
      task: {
        subtasks: [],
        written: {},
        output,
        confidence: 1,
        results: { t1: { result: { output, metadata: { proposal: { spans } } } } },
      },
    },
    reasoning: [],
    warnings: [],
    errors: [],
  }) as unknown as Outcome;

describe("the answer to a command", () => {
  it("is read from places that are counted in bytes", () => {
    const start = new TextEncoder().encode("𠮷雨停了。").length;
    const span = { start, end: start + 12, before: "她走了。", after: "她留下了。" };
    const result = resultOf(outcome([span]), { base, from: 6, to: 10 }, "zh");
    expect(result).toMatchObject({ pieces: [{ anchor: { quote: "她走了。", at: 6 }, text: "她留下了。" }] });
  });

  it("is new sentences where there was only a caret", () => {
    const span = { start: 0, end: 0, before: "", after: "\n\n天亮了。鸟叫了。" };
    const result = resultOf(outcome([span]), { base, from: 10, to: 10 }, "zh");
    expect("pieces" in result && result.pieces.map(({ text }) => text)).toEqual(["\n\n天亮了。", "鸟叫了。"]);
  });

  it("says why there is none", () => {
    const failed = outcome([], "没有模型");
    const { made } = failed;
    if (typeof made === "string" || !("task" in made)) throw new Error("it is a task");
    made.task.results = {};
    expect(resultOf(failed, { base, from: 6, to: 10 }, "zh")).toEqual({ failure: "没有模型" });
    expect(resultOf(outcome([]), { base, from: 6, to: 10 }, "zh")).toEqual({ failure: "" });
  });
});

describe("sentences", () => {
  it.each(["雨停了。她走了。\n“走吧。”他说。", "He left. She stayed.\n\nNobody spoke", ""])(
    "are the text again: %j",
    (text) => {
      expect(sentencesOf(text, "zh").join("")).toBe(text);
    },
  );

  it.each([
    ["雨停了。她走了。", "雨停了。她没有走。"],
    ["雨停了。", "雨停了，檐下还在滴水。她走了。谁也没有说话。"],
    ["一。二。三。四。", "一二三四。"],
    ["", "一。二。"],
    ["一。\n二。", ""],
    ["雨停了。\n", "雪停了。\n"],
  ])("make one text of another: %j to %j", (before, after) => {
    expect(applied(before, sentenceHunks(before, after, "zh"))).toBe(after);
  });

  it("are offered one by one", () => {
    expect(sentenceHunks("雨停了。她走了。", "雪停了。她留下了。", "zh")).toHaveLength(2);
    expect(sentenceHunks("", "一。二。三。", "zh")).toHaveLength(3);
  });
});

it("fits new words to where they go", () => {
  expect(fitted("天亮了。", "一。\n二。", 5)).toBe("\n天亮了。");
  expect(fitted("天亮了。\n\n鸟叫了。", "一。\n\n二。", 6)).toBe("\n\n天亮了。\n\n鸟叫了。");
  expect(fitted("天亮了。", "他说", 2)).toBe("天亮了。");
  expect(fitted("天亮了。", "一。\n\n二。", 3)).toBe("天亮了。");
  expect(fitted("天亮了。", "", 0)).toBe("天亮了。");
  expect(fitted("天亮了。", "一。\n二。", 0)).toBe("天亮了。\n");
});

it("finds the paragraph that is meant", () => {
  const text = "\n一二\n\n\n三";
  expect(paragraphAt(text, 2)).toEqual({ from: 1, to: 3 });
  expect(paragraphAt(text, 5)).toEqual({ from: 1, to: 3 });
  expect(paragraphAt(text, 7)).toEqual({ from: 6, to: 7 });
  expect(paragraphAt(text, 0)).toBeUndefined();
  expect(paragraphAt("", 0)).toBeUndefined();
});

it("knows the sign that calls the commands, in both keyboards", () => {
  expect(["/", "／", "、续", "/con"].map(commandIn)).toEqual(["", "", "续", "con"]);
  expect(["", "他/", "/ 好", "//"].map(commandIn)).toEqual([undefined, undefined, undefined, undefined]);
});
