import { beforeEach, expect, test } from "vitest";
import { proseLook, readLook, setProse, usualLook } from "./prose";

beforeEach(() => localStorage.clear());

test("without anything kept prose is set as usual", () => {
  expect(proseLook()).toEqual(usualLook);
  expect(readLook("not JSON")).toEqual(usualLook);
  expect(readLook("[]")).toEqual(usualLook);
});

test("what was kept is put right where it cannot be used", () => {
  expect(readLook('{"size": 400, "measure": "wide", "face": "gothic"}')).toEqual({ ...usualLook, size: 26 });
});

test("a look is kept, and stands on the page at once", () => {
  setProse({ size: 20, measure: 32, face: "sans" });
  expect(proseLook()).toEqual({ size: 20, measure: 32, face: "sans" });
  const { style } = document.documentElement;
  expect(style.getPropertyValue("--prose-size")).toBe("20px");
  expect(style.getPropertyValue("--prose-measure")).toBe("32em");
});
