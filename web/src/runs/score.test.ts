import { expect, test } from "vitest";
import type { DiagnosticReport } from "../api/schema";
import { scoreOf } from "./score";

const report = (basis: DiagnosticReport["basis"]): DiagnosticReport => ({ quality_score: 100, basis });
const blind = [{ missing: "event", codes: ["QY301"] }];

test("a score without a basis is none", () => {
  expect(scoreOf({ quality_score: 100 })).toBeUndefined();
  expect(scoreOf(report({ pieces: 0, judge: "model" }))).toBeUndefined();
  expect(scoreOf(report({ pieces: 3, judge: "rules", rules: { run: 1, blind } }))).toBeUndefined();
  expect(scoreOf(report({ pieces: 3, judge: "rules", rules: { run: 2, blind } }))).toBe(100);
  expect(scoreOf(report({ pieces: 3, judge: "model", rules: { run: 1, blind } }))).toBe(100);
});
