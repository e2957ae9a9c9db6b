import { expect, it } from "vitest";
import type { Genre } from "../api/schema";
import { isGenreName, named } from "./reference";

it("knows the names that a genre can have", () => {
  for (const good of ["yehang", "夜航", "Noir-2", " 悬疑 ", "x".repeat(40)])
    expect(isGenreName(good)).toBe(true);
  for (const bad of ["", "-x", "夜 航", "《夜航》", "a/b", "x".repeat(41)])
    expect(isGenreName(bad)).toBe(false);
});

it("names a genre everywhere it is called", () => {
  const made = { id: "reference", name: "reference", names: ["reference"], promise: "…" } as Genre;
  expect(named(made, " Noir-2 ")).toEqual({ id: "noir-2", name: "noir-2", names: ["noir-2"], promise: "…" });
});
