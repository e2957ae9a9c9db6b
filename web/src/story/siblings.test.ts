import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import type { Character } from "../api/story";
import { type Siblings, siblingsOf } from "./siblings";

type Case = {
  genders: [string, string];
  ages: [number | null, number | null];
  description: string;
  word: string | null;
};

const cases = JSON.parse(
  readFileSync("../crates/qingyu-story/src/related_pair/siblings.cases.json", "utf8"),
) as Case[];

const inChinese: Record<Siblings, string | null> = {
  brothers: "兄弟",
  sisters: "姐妹",
  older_brother: "兄妹",
  older_sister: "姐弟",
  mixed: null,
};

it.each(cases)("are called as the server calls them: $genders $ages $description", (one) => {
  const card = (name: string, at: 0 | 1) =>
    ({ id: name, name, alias: [], gender: one.genders[at], age: one.ages[at] }) as unknown as Character;
  const relation = { from: "甲", to: "乙", description: one.description };
  const siblings = siblingsOf([card("甲", 0), card("乙", 1)], relation);
  expect(siblings ? inChinese[siblings] : null).toBe(one.word);
});
