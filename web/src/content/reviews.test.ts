import { expect, test } from "vitest";
import type { Review } from "../api/schema";
import { gathered, isClean, optionsOf } from "./reviews";

const review = { compliance: [], sensitive: [], originality: null } as unknown as Review;
const word = (text: string) =>
  ({
    text,
    word: text,
    category: "violence",
    level: "loose",
    span: { start: 0, end: 1 },
  }) as Review["sensitive"][number];

test("the general rules are asked for by a word, those of a platform by its name", () => {
  expect(optionsOf({ chapter: undefined, platform: "general", level: undefined }, "zh")).toMatchObject({
    platform: "general",
    level: null,
  });
  expect(optionsOf({ chapter: undefined, platform: "fanqie", level: "strict" }, "en")).toMatchObject({
    platform: { named: "fanqie" },
    level: "strict",
    language: "en",
  });
});

test("clean is what has neither rule broken nor word nor copy", () => {
  expect(isClean(review)).toBe(true);
  expect(isClean({ ...review, sensitive: [word("a")] })).toBe(false);
});

test("a word that stands there often is told once", () => {
  const found = gathered([word("乙"), word("甲"), word("甲")]);
  expect(found.map(({ word, count }) => [word.text, count])).toEqual([
    ["甲", 2],
    ["乙", 1],
  ]);
});
