import { expect, test } from "vitest";
import { Problem } from "../api/problem";
import { endOf, isNotOffered } from "./access";

test("only a missing route means that there are no keys here", () => {
  expect(isNotOffered(new Problem(404, "unknown_route", ""))).toBe(true);
  expect(isNotOffered(new Problem(403, "forbidden", ""))).toBe(false);
  expect(isNotOffered(new Error("404"))).toBe(false);
});

test("a key holds until the end of its last day", () => {
  expect(endOf("")).toBeUndefined();
  expect(Date.parse(endOf("2026-12-31") ?? "")).toBe(new Date(2026, 11, 31, 23, 59, 59).getTime());
});
