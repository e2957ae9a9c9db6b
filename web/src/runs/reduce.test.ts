import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events";
import chapters from "./fixtures/chapters.json";
import production from "./fixtures/production.json";
import review from "./fixtures/review.json";
import story from "./fixtures/story.json";
import { reduce, reduceAll } from "./reduce";

const events = (log: unknown) => log as RunEvent[];

describe("a run that makes the material of a story", () => {
  const state = reduceAll(events(story));

  it("knows its plan and who did what", () => {
    expect(state.status).toBe("done");
    expect(state.steps.map((step) => `${step.id} ${step.agent} <- ${step.needs.join()}`)).toEqual([
      "1 character_agent <- ",
      "2 outline_agent <- 1",
      "3 plot_agent <- 1,2",
      "4 style_agent <- ",
      "5 review_agent <- 1,2,3,4",
    ]);
    expect(state.work.map((work) => `${work.agent} ${work.round} ${work.status}`)).toEqual([
      "style_agent 0 done",
      "character_agent 0 done",
      "outline_agent 0 done",
      "plot_agent 0 done",
      "review_agent 0 done",
      "character_agent 1 done",
      "review_agent 1 done",
    ]);
    expect(state.work.map((work) => work.savedVersion)).toEqual([1, 2, 3, 4, undefined, 5, undefined]);
  });

  it("keeps the reviews and what was sent back", () => {
    expect(state.reviews.map(({ iteration, report }) => [iteration, report.passed])).toEqual([
      [0, false],
      [1, true],
    ]);
    expect(state.corrections[0]?.agents).toEqual(["character_agent"]);
    expect(state.summary?.quality_score).toBe(100);
  });

  it("counts as the server does", () => {
    const { total, calls, micros } = state.tally;
    expect({ total, calls, micros }).toEqual({ total: 0, calls: 8, micros: 0 });
  });
});

describe("a run that writes chapters", () => {
  const state = reduceAll(events(chapters));

  it("follows each chapter to its end", () => {
    expect(state.chapterCount).toBe(6);
    expect(state.chapters.map((chapter) => chapter.stage)).toEqual(Array(6).fill("settled"));
    expect(state.chapters[0]).toMatchObject({ chapter: 1, words: 1214, score: 86, version: 6 });
    expect(state.saved.map((saved) => saved.version)).toEqual([6, 7, 8, 9, 10, 11]);
  });

  it("counts as the server does, and knows no price where one is missing", () => {
    const { input, output, total, calls, micros, byAgent } = state.tally;
    expect({ input, output, total, calls }).toEqual({
      input: state.summary?.usage.input,
      output: state.summary?.usage.output,
      total: state.summary?.usage.total,
      calls: state.summary?.usage.calls,
    });
    expect(byAgent).toEqual(state.summary?.usage.by_agent);
    expect(micros).toBeUndefined();
  });
});

describe("a production", () => {
  const state = reduceAll(events(production));

  it("goes through its phases, and its fields stand below them", () => {
    expect(state.phases).toHaveLength(8);
    const fields = state.phases.flatMap((phase) => phase.fields);
    expect(fields.length).toBeGreaterThan(10);
    expect(new Set(fields.map((field) => field.status))).toEqual(new Set(["done"]));
  });
});

describe("a run that waits", () => {
  const log = events(review);
  const state = reduceAll(log);

  it("says what it asks", () => {
    expect(state.status).toBe("waiting");
    expect(state.question?.asks).toBe("human_review");
  });

  it("forgets the question once it goes on, and counts a call that is told again once", () => {
    const last = log.at(-1);
    const call = log.find((event) => event.kind === "called");
    const start = log.find((event) => event.kind === "run_started");
    if (!last || !call || !start) throw new Error("the recording is whole");
    const resumed = reduceAll(
      [
        { ...start, seq: last.seq + 1, resumed: true } as RunEvent,
        { ...call, seq: last.seq + 2, reused: true } as RunEvent,
      ],
      state,
    );
    expect(resumed.question).toBeUndefined();
    expect(resumed.status).toBe("running");
    expect(resumed.attempts).toHaveLength(2);
    expect(resumed.tally).toEqual(state.tally);
  });

  it("does again what was stopped", () => {
    const begun = log.findIndex((event) => event.kind === "agent_started");
    const stopped = reduce(reduceAll(log.slice(0, begun + 1)), {
      ...(log[begun] as RunEvent),
      kind: "interrupted",
      seq: begun + 2,
    } as RunEvent);
    expect(stopped.work.map((work) => work.status)).toEqual(["stopped"]);
    const again = reduce(stopped, { ...(log[begun] as RunEvent), seq: begun + 3 });
    expect(again.work.map((work) => work.status)).toEqual(["running"]);
  });
});

it("how an agent came to what it made stands with its work", () => {
  const at = (seq: number) => ({ seq, at: "2026-01-01T00:00:00Z", run: "r-1", project: "p-1" });
  const begun = { kind: "agent_started", agent: "plot_agent", mode: "generate", step_id: 3, task: "情节" };
  const done = { kind: "agent_finished", agent: "plot_agent", summary: "新增 3 项", pieces: [] };
  const lines = ["先定结局", "再找转折"];
  const state = reduceAll(
    events([
      { ...at(1), ...begun },
      { ...at(2), ...done, reasoning: lines },
      { ...at(3), ...begun },
      { ...at(4), ...done },
    ]),
  );
  expect(state.work.map(({ reasoning }) => reasoning)).toEqual([lines, []]);
});

it("what is told twice is told once", () => {
  for (const log of [story, chapters, production, review]) {
    const state = reduceAll(events(log));
    expect(reduceAll(events(log), state)).toBe(state);
  }
});

it("streamed text changes nothing", () => {
  const state = reduceAll(events(chapters));
  const text = { kind: "text", agent: "writer_agent", text: "…", seq: state.seq + 1 } as RunEvent;
  expect(reduce(state, text)).toBe(state);
});
