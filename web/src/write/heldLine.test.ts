import { expect, test } from "vitest";
import { distanceToHeld } from "./heldLine";

const frame = { top: 100, bottom: 1100 };

test("a line below the held height is scrolled up, and one above it down", () => {
  expect(distanceToHeld({ top: 910, bottom: 930 }, frame)).toBe(400);
  expect(distanceToHeld({ top: 310, bottom: 330 }, frame)).toBe(-200);
});

test("a line at the held height stays", () => {
  expect(distanceToHeld({ top: 510, bottom: 530 }, frame)).toBe(0);
});
