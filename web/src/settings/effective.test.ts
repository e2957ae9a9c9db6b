import { expect, test } from "vitest";
import type { SettingRow } from "../api/schema";
import { matching, shownValue } from "./effective";

const row = (key: string, value: unknown): SettingRow => ({ key, value, layer: "default", source: null });

test("a search finds words of key and value in any order", () => {
  const rows = [row("models.default", "offline-rules-1"), row("models.local", ["ollama"])];
  expect(matching(rows, "OLLAMA models").map(({ key }) => key)).toEqual(["models.local"]);
  expect(matching(rows, " ")).toHaveLength(2);
});

test("values stand as in a file", () => {
  expect([[1, 2], [], "", "***", false, { a: 1 }].map(shownValue)).toEqual([
    "1, 2",
    "[]",
    '""',
    "***",
    "false",
    '{"a":1}',
  ]);
});
