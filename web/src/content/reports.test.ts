import { expect, test } from "vitest";
import { asEvaluation, asResearch, asSimulation, scored } from "./reports";

test("a value of another shape is no report", () => {
  for (const value of [null, "text", [], {}, { sources: 1 }, { criteria: [] }]) {
    expect(asResearch(value)).toBeUndefined();
    expect(asSimulation(value)).toBeUndefined();
    expect(asEvaluation(value)).toBeUndefined();
  }
});

test("a research keeps its sources in order, and says what no source says", () => {
  const report = asResearch({
    question: "怎么定价",
    findings: [{ claim: "先看价值", sources: [1], is_supported: true }, { claim: "没有出处" }],
    sources: [{ number: 1, title: "", url: "https://example.org/a", read_at: "2026-01-01T00:00:00Z" }],
    gaps: ["价格弹性", 3],
  });
  expect(report?.findings.map((finding) => finding.isSupported)).toEqual([true, false]);
  expect(report?.sources[0]).toMatchObject({ number: 1, url: "https://example.org/a", characters: 0 });
  expect(report?.gaps).toEqual(["价格弹性"]);
});

test("a research has its questions in order, and says who wrote a source", () => {
  const report = asResearch({
    questions: [{ question: "谁来买", perspective: "店主", answer: "开发者 [1]" }, { question: "多少钱" }],
    findings: [{ claim: "三档最常见", sources: [1], is_supported: true, question: 2 }, { claim: "另外" }],
    sources: [
      { number: 1, url: "https://a.example/", imprint: { authors: ["张三"], published: "2024-05" } },
      { number: 2, url: "document:d-1#1-2", place: "第 1–2 段" },
    ],
  });
  expect(report?.questions).toEqual([
    { question: "谁来买", perspective: "店主", answer: "开发者 [1]" },
    { question: "多少钱", perspective: "", answer: "" },
  ]);
  expect(report?.findings.map((finding) => finding.question)).toEqual([2, 0]);
  expect(report?.sources.map((source) => source.details)).toEqual([["张三", "2024-05"], ["第 1–2 段"]]);
});

test("readers are counted by point, and scores that nobody gave stay unknown", () => {
  const report = asSimulation({
    outcomes: [{ interaction: "purchase", read: 3, scored: 0, mean: null, disagreement: null }],
    points: [{ point: "定价", understood_by: ["甲", "乙"], missed_by: ["丙"] }],
    objections: [{ paragraph: null, sides: [{ persona: "甲", words: "太贵" }], personas: 1 }],
    drop_off: { curve: [{ paragraph: 1, share: 1 }], stops: [] },
  });
  expect(report?.outcomes[0]).toMatchObject({ mean: undefined, apart: undefined });
  expect(report?.points[0]).toEqual({ point: "定价", understood: 2, all: 3 });
  expect(report?.objections[0]?.sides[0]?.words).toBe("太贵");
  expect(report?.demand).toBeUndefined();
});

test("scores are told with their spread", () => {
  expect(
    asEvaluation({ criteria: [{ criterion: "clarity", mean: 80.4 }], covered: 1 })?.criteria[0],
  ).toMatchObject({
    title: "clarity",
    mean: 80.4,
    isUnreliable: false,
  });
  expect(scored(80.4, 4.6)).toBe("80 ± 5");
  expect(scored(80.4, undefined)).toBe("80");
  expect(scored(undefined, 1)).toBe("–");
});
