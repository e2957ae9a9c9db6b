import { expect, test } from "vitest";
import { isHere } from "./members";

test("a member is here who asked something in the last minutes", () => {
  const now = Date.parse("2026-11-29T08:30:00Z");
  expect(isHere("2026-11-29T08:28:00Z", now)).toBe(true);
  expect(isHere("2026-11-29T08:20:00Z", now)).toBe(false);
  expect(isHere(null, now)).toBe(false);
  expect(isHere(undefined, now)).toBe(false);
});
