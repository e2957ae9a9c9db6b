import { expect, test } from "vitest";
import { type FieldRow, neighbours, pathOf, phaseState } from "./production";

const phase = { name: "intent", is_done: false, empty: 1, draft: 0, confirmed: 0, stale: 0 };
const field = (path: string) => ({ path }) as FieldRow;

test("what is stale is said first, then where the work is", () => {
  const now = { current_phase: "intent", run: ["r-1", "waiting"] as [string, "waiting"] };
  const working = { current_phase: "intent", run: ["r-1", "running"] as [string, "running"] };
  const elsewhere = { current_phase: "", run: null };
  expect(phaseState({ ...phase, stale: 1, is_done: true }, now)).toBe("stale");
  expect(phaseState(phase, now)).toBe("now");
  expect(phaseState(phase, working)).toBe("working");
  expect(phaseState({ ...phase, is_done: true }, elsewhere)).toBe("done");
  expect(phaseState({ ...phase, draft: 1 }, elsewhere)).toBe("begun");
  expect(phaseState(phase, elsewhere)).toBe("empty");
});

test("a reference to a part of a field names the field", () => {
  expect(pathOf("design_inner/outline#/lessons/2")).toBe("design_inner/outline");
  expect(pathOf("design_inner/outline")).toBe("design_inner/outline");
});

test("a field stands between two others, or at an end", () => {
  const fields = [field("a/a"), field("a/b")];
  expect(neighbours(fields, "a/a")).toEqual([undefined, field("a/b")]);
  expect(neighbours(fields, "a/b")).toEqual([field("a/a"), undefined]);
  expect(neighbours(fields, "b/b")).toEqual([undefined, undefined]);
});
