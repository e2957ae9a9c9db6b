import { expect, test } from "vitest";
import type { EarlierRow, ProjectRow } from "../api/schema";
import { candidates, moved, requests } from "./series";

const row = (project: string): EarlierRow => ({
  project,
  title: project,
  kind: "volume",
  gap: "",
  missing: false,
  shared: [],
});
const rows = [row("p-1"), row("p-2"), row("p-3")];
const names = (rows: readonly { project: string }[]) => rows.map((each) => each.project);

test("an earlier book moves one place up or down, and not beyond the ends", () => {
  expect(names(moved(rows, 2, 1))).toEqual(["p-1", "p-3", "p-2"]);
  expect(names(moved(rows, 0, 1))).toEqual(["p-2", "p-1", "p-3"]);
  expect(names(moved(rows, 0, -1))).toEqual(["p-1", "p-2", "p-3"]);
  expect(names(moved(rows, 2, 3))).toEqual(["p-1", "p-2", "p-3"]);
  expect(names(moved(rows, 7, 0))).toEqual(["p-1", "p-2", "p-3"]);
});

test("a request keeps the kind and the time between", () => {
  const canon: EarlierRow = { ...row("p-1"), kind: "canon", gap: "十年", missing: true };
  expect(requests([canon])).toEqual([{ project: "p-1", kind: "canon", gap: "十年" }]);
});

test("the book itself, its branches and the books in the list are not offered", () => {
  const project = (id: string, branchOf?: string): ProjectRow => ({
    project: id,
    title: id,
    language: "zh",
    premise: "",
    created: "2026-11-29T08:00:00Z",
    updated: "2026-11-29T08:00:00Z",
    version: 1,
    branch_of: branchOf,
  });
  const all = [project("p-0"), project("p-2"), project("p-4"), project("p-0-b", "p-0")];
  expect(names(candidates(all, rows, "p-0"))).toEqual(["p-4"]);
});
