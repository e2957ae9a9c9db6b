import { expect, it } from "vitest";
import type { RunEvent } from "./events";
import story from "./fixtures/story.json";
import { graphOf, withoutDetours } from "./layout";
import { reduceAll } from "./reduce";

it("leaves out what is said already", () => {
  const edges = withoutDetours([
    ["1", "2"],
    ["2", "3"],
    ["1", "3"],
    ["4", "3"],
  ]);
  expect(edges).toEqual([
    ["1", "2"],
    ["2", "3"],
    ["4", "3"],
  ]);
});

it("draws the plan, and who was sent back to work", () => {
  const graph = graphOf(reduceAll(story as unknown as RunEvent[]));
  expect(graph.nodes.map((node) => `${node.agent} ${node.status}`)).toEqual([
    "character_agent done",
    "outline_agent done",
    "plot_agent done",
    "style_agent done",
    "review_agent done",
    "meta_scheduler done",
  ]);
  expect(graph.edges.filter((edge) => edge.isBack).map((edge) => edge.id)).toEqual([
    "5-meta_scheduler",
    "meta_scheduler-1",
  ]);
  expect(new Set(graph.nodes.map((node) => `${node.x} ${node.y}`)).size).toBe(6);
});

it("marks the one who mends", () => {
  const events = story as unknown as RunEvent[];
  const mending = events.findIndex((event) => event.kind === "agent_started" && event.mode === "correct");
  const graph = graphOf(reduceAll(events.slice(0, mending + 1)));
  expect(graph.nodes.find((node) => node.agent === "character_agent")?.status).toBe("running");
});
