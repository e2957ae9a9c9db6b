import { expect, it } from "vitest";
import { Problem } from "../api/problem";
import { troubleOf } from "./trouble";

const problem = (status: number, code: string, data: Record<string, unknown> = {}) =>
  new Problem(status, code, "a message of the server", { data });

it("has a message for whatever an author can do something about", () => {
  expect(troubleOf(problem(409, "conflict"))).toBe("conflict");
  expect(troubleOf(problem(412, "conflict"))).toBe("conflict");
  expect(troubleOf(problem(409, "changed_since"))).toBe("changed_since");
  expect(troubleOf(problem(404, "unknown_document"))).toBe("gone");
  expect(troubleOf(problem(409, "request_at_work"))).toBe("busy");
  expect(troubleOf(problem(400, "bad_chapter_edit", { reason: "name_taken", given: "雨" }))).toBe(
    "name_taken",
  );
});

it("leaves the rest to the general messages", () => {
  expect(troubleOf(problem(400, "bad_chapter_edit", { reason: "other" }))).toBeUndefined();
  expect(troubleOf(problem(409, "project_binned"))).toBeUndefined();
  expect(troubleOf(Problem.ofNetwork(new Error("no line")))).toBeUndefined();
  expect(troubleOf(new Error("else"))).toBeUndefined();
});
