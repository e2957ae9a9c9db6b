import { expect, it } from "vitest";
import { changedMaterial, nameOf, piecesIn, readJson, withoutPiece, withPiece } from "./material";

const before = { characters: [{ name: "甲" }], style: null };

it("sends the parts that were changed, and no others", () => {
  expect(changedMaterial(before, {})).toBeUndefined();
  expect(changedMaterial(before, { characters: '[ {"name":"甲"} ]', style: "null" })).toBeUndefined();
  expect(changedMaterial(before, { characters: '[{"name":"乙"}]' })).toEqual({
    characters: [{ name: "乙" }],
  });
});

it("sends nothing while something cannot be read", () => {
  expect(changedMaterial(before, { characters: '[{"name":"乙"}]', style: "{" })).toBeUndefined();
  expect(readJson("{").failure).toBeDefined();
  expect(readJson("null").failure).toBeUndefined();
});

it("changes one piece and leaves the others and what has no field as they are", () => {
  const people = [{ name: "甲", secret: 1 }, { name: "乙" }];
  expect(withPiece(people, 0, { name: "丙", secret: 1 })).toEqual([
    { name: "丙", secret: 1 },
    { name: "乙" },
  ]);
  expect(withoutPiece(people, 0)).toEqual([{ name: "乙" }]);
  expect(withPiece({ era: "古" }, 0, { era: "今" })).toEqual({ era: "今" });
  expect(withoutPiece({ era: "古" }, 0)).toEqual({ era: "古" });
});

it("knows the pieces of a part, and what they are called", () => {
  expect(piecesIn(null)).toEqual([]);
  expect(piecesIn([{ name: "甲" }, null, "乙"])).toEqual([{ name: "甲" }]);
  expect([{ name: "甲" }, { title: "雨夜" }, { from: "甲", to: "乙" }, { era: "今" }].map(nameOf)).toEqual([
    "甲",
    "雨夜",
    "甲 → 乙",
    "",
  ]);
});
