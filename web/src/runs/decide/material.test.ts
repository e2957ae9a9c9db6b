import { expect, it } from "vitest";
import { changedMaterial, readJson } from "./material";

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
