import { describe, expect, it } from "vitest";
import { en } from "./en";

/** Verbs after a 1 that stands for a name. */
const VERBS = ["has", "is", "knows", "was", "works"];
/** Limits, which are never 1. */
const LIMITS = ["most", "limit", "wanted"];

function texts(words: object, path = ""): [string, string][] {
  return Object.entries(words).flatMap(([key, value]) =>
    typeof value === "string" ? [[path + key, value] as [string, string]] : texts(value, `${path}${key}.`),
  );
}

describe("the English words", () => {
  it("agree with a count of one", () => {
    const all = new Map(texts(en));
    const wrong = [...all].filter(([key, text]) => {
      if (all.has(`${key}_one`)) return false;
      const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => (LIMITS.includes(name) ? "1,000" : "1"));
      return [...filled.matchAll(/(?<![\d,])1 (?:more |earlier )?([a-z]+s)\b/g)].some(([, noun]) => !VERBS.includes(noun ?? ""));
    });
    expect(wrong).toEqual([]);
  });
});
