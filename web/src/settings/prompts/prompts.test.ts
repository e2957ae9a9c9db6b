import { expect, test } from "vitest";
import { Problem } from "../../api/problem";
import type { PromptRow } from "../../api/schema";
import { grouped, lineSpan, refusedPrompt } from "./prompts";

const row = (name: string, overridden = false): PromptRow => {
  const [agent = "", file = ""] = name.split("/");
  const [part = "", language = ""] = file.split(".");
  return { name, agent, part, language: language as "zh" | "en", overridden, problem: null };
};
const rows = [
  row("outline/generate.zh.md", true),
  row("outline/generate.en.md"),
  row("outline/system.zh.md"),
  row("plot/system.zh.md"),
];

test("prompts stand by agent, in one language", () => {
  const zh = grouped(rows, { language: "zh", typed: "", isOwn: false });
  expect(zh.map(({ agent, prompts }) => [agent, prompts.map(({ part }) => part)])).toEqual([
    ["outline", ["generate", "system"]],
    ["plot", ["system"]],
  ]);
  expect(grouped(rows, { language: "zh", typed: "SYS plot", isOwn: false })).toHaveLength(1);
  expect(grouped(rows, { language: "zh", typed: "", isOwn: true })[0]?.prompts).toHaveLength(1);
  expect(grouped(rows, { language: "en", typed: "", isOwn: true })).toEqual([]);
});

test("a line is found in its text", () => {
  const text = "one\ntwo\nthree";
  expect(text.slice(...lineSpan(text, 2))).toBe("two");
  expect(text.slice(...lineSpan(text, 3))).toBe("three");
  expect(lineSpan(text, 9)).toEqual([text.length, text.length]);
});

test("a refusal names its line", () => {
  const problem = new Problem(422, "bad_prompt", "no", { data: { line: 3, message: "why" } });
  expect(refusedPrompt(problem)).toEqual({ line: 3, message: "why" });
  expect(refusedPrompt(new Problem(403, "forbidden", "no"))).toBeUndefined();
});
