import { expect, test } from "vitest";
import { guessed, kindOf, readAs, typedOf } from "./typed";

test("a value is typed in by what it is", () => {
  expect([true, 3, "auto", ["a", "b"], [80, 443], "***", { a: 1 }, null].map(kindOf)).toEqual([
    "switch",
    "number",
    "words",
    "list",
    "list",
    undefined,
    undefined,
    undefined,
  ]);
});

test("what is typed and not changed is the same value", () => {
  for (const value of [true, false, 0.3, 80, "offline-rules-1", ["a/b", "c"], [80, 443], []]) {
    const kind = kindOf(value);
    expect(kind && readAs(typedOf(value), kind, value)).toEqual(value);
  }
});

test("what is no number is none", () => {
  expect(readAs("many", "number")).toBeUndefined();
  expect(readAs("", "number")).toBeUndefined();
  expect(readAs("80\nx", "list", [80])).toBeUndefined();
});

test("a value of which nothing is known is what it looks like", () => {
  expect(["5", "1.5", "true", "deepseek/deepseek-flash", '["a"]', "[a", "{x"].map(guessed)).toEqual([
    5,
    1.5,
    true,
    "deepseek/deepseek-flash",
    ["a"],
    "[a",
    "{x",
  ]);
});
