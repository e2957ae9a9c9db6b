import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { story as en } from "../words/en/story";
import { story as zh } from "../words/zh/story";

const FILES = ["qingyu-story/src/predicate/predicates.toml", "qingyu-knowledge/src/graph/relations.toml"];
const names = FILES.flatMap((file) => {
  const words = readFileSync(`../crates/${file}`, "utf8").split("[[group]]")[0] ?? "";
  return [...words.matchAll(/^(?:name|inverse) = "(\w+)"$/gm)].map((found) => found[1] ?? "");
});

describe("the words of facts", () => {
  it("are all known", () => {
    expect(names.length).toBeGreaterThan(60);
  });

  it.each([
    ["zh", zh.predicates as Record<string, string>, /^\p{Script=Han}+$/u],
    ["en", en.predicates as Record<string, string>, /^[a-z][a-z ]+$/],
  ] as const)("stand in %s, and in no other language", (_, words, form) => {
    expect(names.filter((name) => !form.test(words[name] ?? ""))).toEqual([]);
  });
});
