import { expect, test } from "vitest";
import { stepped } from "./tabs";

test("arrows go round, in the direction in which the tabs stand", () => {
  expect(stepped("ArrowRight", 2, 3, false)).toBe(0);
  expect(stepped("ArrowLeft", 0, 3, false)).toBe(2);
  expect(stepped("ArrowDown", 0, 3, true)).toBe(1);
  expect(stepped("ArrowDown", 0, 3, false)).toBeUndefined();
  expect(stepped("End", 0, 3, true)).toBe(2);
  expect(stepped("a", 0, 3, true)).toBeUndefined();
});
