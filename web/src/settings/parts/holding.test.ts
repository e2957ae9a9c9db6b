import { expect, test } from "vitest";
import { holding } from "./holding";

test("a text is found by all of its words, in any order and case", () => {
  expect(["Budget tokens", "tokens", "令牌 Budget"].filter(holding("TOKENS  budget"))).toEqual([
    "Budget tokens",
  ]);
  expect(["", "什么"].filter(holding(" "))).toEqual(["", "什么"]);
});
