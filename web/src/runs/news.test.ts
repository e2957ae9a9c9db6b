import { expect, test } from "vitest";
import type { RunRow } from "../api/schema";
import { newsBetween } from "./news";

const row = (run: string, status: RunRow["status"]) => ({ run, status }) as RunRow;

test("a run that begins to wait or is over is news", () => {
  const before = [row("a", "running"), row("b", "running"), row("c", "running"), row("d", "waiting")];
  const now = [row("a", "running"), row("b", "waiting")];
  expect(newsBetween(before, now)).toEqual([
    { run: row("b", "waiting"), is: "waiting" },
    { run: row("c", "running"), is: "over" },
  ]);
});

test("what is seen for the first time is none", () => {
  expect(newsBetween([], [row("a", "waiting")])).toEqual([]);
});
