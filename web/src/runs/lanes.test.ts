import { expect, it } from "vitest";
import type { RunEvent } from "./events";
import chapters from "./fixtures/chapters.json";
import story from "./fixtures/story.json";
import { lanesOf } from "./lanes";
import { reduceAll } from "./reduce";
import { type RunState, untouched, type Work } from "./state";

const work = (agent: string, from: number, to: number | undefined, seq: number): Work => ({
  ...(reduceAll(story as unknown as RunEvent[]).work[0] as Work),
  seq,
  agent,
  from: new Date(from).toISOString(),
  to: to === undefined ? undefined : new Date(to).toISOString(),
  status: to === undefined ? "running" : "done",
});
const stateOf = (work: Work[]): RunState => ({ ...untouched, work });

it("draws what happens at once one above the other, and shortens pauses", () => {
  const lanes = lanesOf(
    stateOf([work("a", 0, 1_000, 1), work("b", 0, 500, 2), work("a", 101_000, undefined, 3)]),
    102_000,
  );
  expect(lanes.map((lane) => [lane.agent, lane.stretches.length])).toEqual([
    ["a", 2],
    ["b", 1],
  ]);
  const [first, again] = lanes[0]?.stretches ?? [];
  expect(first?.width).toBeCloseTo(48.08, 1);
  expect(again?.left).toBeCloseTo(51.92, 1);
});

it("gives an agent that does two things at once two rows", () => {
  const lanes = lanesOf(stateOf([work("a", 0, 1_000, 1), work("a", 500, 2_000, 2)]), 0);
  expect(lanes.map((lane) => [lane.agent, lane.row])).toEqual([
    ["a", 0],
    ["a", 1],
  ]);
});

it("keeps within the width for recorded runs", () => {
  for (const log of [story, chapters]) {
    const lanes = lanesOf(reduceAll(log as unknown as RunEvent[]), 0);
    expect(lanes.length).toBeGreaterThan(2);
    for (const { left, width } of lanes.flatMap((lane) => lane.stretches)) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(101);
    }
  }
});
