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

/** Whether a text says `1 words`, with 1 for every number but limits. */
function disagrees(text: string): boolean {
  const filled = text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => (LIMITS.includes(name) ? "1,000" : "1"));
  const nouns = filled.matchAll(/(?<![\d,])1 (?:more |earlier )?([a-z]+s)\b/g);
  return [...nouns].some(([, noun]) => !VERBS.includes(noun ?? ""));
}

describe("the English words", () => {
  it("agree with a count of one", () => {
    const all = new Map(texts(en));
    const wrong = [...all].filter(([key, text]) => !all.has(`${key}_one`) && disagrees(text));
    expect(wrong).toEqual([]);
  });
});
