import { expect, it } from "vitest";
import type { RunEvent } from "./events";
import { feedItems, progressOf, workedMillis } from "./feed";
import chapters from "./fixtures/chapters.json";
import story from "./fixtures/story.json";
import { taskIn } from "./names";
import { reduceAll } from "./reduce";

it("has a line for all that began, and none for what ended it", () => {
  const state = reduceAll(story as unknown as RunEvent[]);
  expect(feedItems(state).map((item) => item.kind)).toEqual([
    "begin",
    "plan",
    ...Array(5).fill("work"),
    "review",
    "correction",
    "work",
    "work",
    "review",
    "end",
  ]);
  expect(progressOf(state)).toEqual({ done: 5, of: 5 });
});

it("has one line for a chapter", () => {
  const state = reduceAll(chapters as unknown as RunEvent[]);
  expect(feedItems(state).filter((item) => item.kind === "chapter")).toHaveLength(6);
  expect(progressOf(state)).toEqual({ done: 6, of: 6 });
});

it("counts the time of all attempts, not that between them", () => {
  const attempts = [
    { from: "2026-01-01T00:00:00Z", to: "2026-01-01T00:00:10Z" },
    { from: "2026-01-01T01:00:00Z", to: undefined },
  ];
  expect(workedMillis(attempts, Date.parse("2026-01-01T01:00:05Z"))).toBe(15_000);
});

it("reads what a request to write stands for", () => {
  expect(taskIn("draft 1, 2")).toEqual({ kind: "draft", chapters: "1, 2" });
  expect(taskIn("draft")).toEqual({ kind: "draft", chapters: "" });
  expect(taskIn("draft a letter")).toBeUndefined();
});
