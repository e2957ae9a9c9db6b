import { describe, expect, it } from "vitest";
import { goalOf, yearOf } from "./goals";

describe("the year's map", () => {
  const days = [
    { date: "2026-11-23", hand: 400, agents: 0 },
    { date: "2026-11-25", hand: 2_500, agents: 900 },
    { date: "2026-11-26", hand: -30, agents: 10 },
  ];
  it("has 53 weeks, Monday first, up to today", () => {
    const weeks = yearOf(days, "2026-11-26", 1_000);
    expect(weeks).toHaveLength(53);
    expect(weeks.at(-1)?.map(({ date }) => date)).toEqual([
      "2026-11-23",
      "2026-11-24",
      "2026-11-25",
      "2026-11-26",
    ]);
    expect(weeks[0]?.[0]?.date).toBe("2025-11-24");
    expect(weeks.slice(0, -1).every((week) => week.length === 7)).toBe(true);
  });
  it("is darker the nearer a day is to the goal", () => {
    const last = (goal: number | null) =>
      yearOf(days, "2026-11-26", goal)
        .at(-1)
        ?.map(({ level }) => level);
    expect(last(1_000)).toEqual([1, 0, 4, 0]);
    expect(last(null)).toEqual([1, 0, 4, 0]);
    expect(last(500)).toEqual([3, 0, 4, 0]);
  });
});

it.each([
  ["2000", 2_000],
  ["30,000", 30_000],
  ["", 0],
  ["abc", undefined],
  ["-5", undefined],
])("a goal typed as %j", (typed, goal) => {
  expect(goalOf(typed)).toBe(goal);
});
