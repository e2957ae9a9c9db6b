import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ModelRow, SettingRow } from "../api/schema";
import { allOf, castOf, castRoles, castSteps, doubt, offersOf } from "./cast";

const provider = (name: string, rest: Partial<ModelRow> = {}): ModelRow => ({
  provider: name,
  base_url: "https://example.com",
  key_variable: `${name.toUpperCase()}_API_KEY`,
  key_present: false,
  reachable: null,
  models: [`${name}-small`, `${name}-large`],
  retiring: {},
  roles: {},
  ...rest,
});
const providers = [
  provider("far"),
  provider("near", { key_present: true }),
  provider("ollama", { key_variable: null, reachable: false, models: ["qwen"] }),
  provider("offline-rules-1", { key_variable: null, base_url: "", models: ["offline-rules-1"] }),
];
const row = (key: string, value: unknown): SettingRow => ({ key, value, layer: "user", source: null });

test("what is set is read, and what is not is empty", () => {
  const rows = [
    row("models.default", "auto"),
    row("models.writer", "near/near-large"),
    row("models.auto", ["x"]),
  ];
  expect(castOf(rows)).toMatchObject({ default: "auto", writer: "near/near-large", review: "" });
  expect(allOf(rows)).toBeUndefined();
  expect(allOf([row("models.all", "near/near-small")])).toBe("near/near-small");
});

test("only what is different is written, and what was emptied is taken out", () => {
  const before = castOf([row("models.default", "auto"), row("models.writer", "near/near-large")]);
  const now = { ...before, default: " near/near-small ", writer: "", review: "far/far-large" };
  expect(castSteps(before, now)).toEqual([
    { key: "models.default", value: "near/near-small" },
    { key: "models.writer" },
    { key: "models.review", value: "far/far-large" },
  ]);
  expect(castSteps(before, { ...before, default: "auto " })).toEqual([]);
});

test("models that can be asked are offered first, under their whole names", () => {
  expect(offersOf(providers)).toEqual([
    { model: "near/near-small", isReady: true },
    { model: "near/near-large", isReady: true },
    { model: "offline-rules-1", isReady: true },
    { model: "far/far-small", isReady: false },
    { model: "far/far-large", isReady: false },
    { model: "ollama/qwen", isReady: false },
  ]);
});

test("a model that could not serve is doubted before it is saved", () => {
  expect(doubt("near/anything", providers)).toBeUndefined();
  expect(doubt("offline-rules-1", providers)).toBeUndefined();
  expect(doubt("auto", providers)).toBeUndefined();
  expect(doubt("", providers)).toBeUndefined();
  expect(doubt("cassette:book.jsonl", providers)).toBeUndefined();
  expect(doubt("far/far-small", providers)).toBe("no_key");
  expect(doubt("nearer/small", providers)).toBe("unknown");
});

test("the roles are those that the studio knows", () => {
  const values = readFileSync(resolve("../crates/qingyu-studio/src/settings/values.rs"), "utf8");
  const listed = /pub const ROLES: [^=]*= \[([^\]]*)\]/.exec(values)?.[1] ?? "";
  expect([...listed.matchAll(/"(\w+)"/g)].map(([, role]) => role)).toEqual([...castRoles]);
});
