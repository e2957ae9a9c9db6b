import { expect, it } from "vitest";
import type { RunRow } from "../api/schema";
import type { Story } from "../api/story";
import { startOf } from "./say";
import { NO_STOPS, readStops, startingWith, turned, useStops, withStops } from "./stops";

it("sends the chosen stops with whatever lets the run go on, and no others", () => {
  const { turn } = useStops.getState();
  const overrides = { budget: { per_run: "9CNY" } };
  expect(withStops("r-1", { overrides })).toEqual({ overrides });
  turn("r-1", "before", "review_agent");
  turn("r-1", "after", "outline_agent");
  turn("r-1", "before", "plot_agent");
  turn("r-1", "before", "review_agent");
  const breakpoints = { before: ["plot_agent"], after: ["outline_agent"] };
  expect(withStops("r-1", { overrides, question: "q" })).toEqual({
    question: "q",
    overrides: { ...overrides, breakpoints },
  });
  turn("r-1", "before", "plot_agent");
  turn("r-1", "after", "outline_agent");
  expect(withStops("r-1", {})).toEqual({ overrides: { breakpoints: { before: [], after: [] } } });
  expect(withStops("r-2", {})).toEqual({});
  expect(withStops(undefined, {})).toEqual({});
});

it("sends the chosen stops with words to a production, whether it waits or begins again", () => {
  useStops.getState().turn("r-5", "before", "review_agent");
  const story = { production: {} } as unknown as Story;
  const row = (status: "waiting" | "done") => ({ run: "r-5", status }) as RunRow;
  const order = { do: "say", text: "@写手 再短些" };
  const overrides = { breakpoints: { before: ["review_agent"], after: [] } };
  expect(startOf("p-1", "＠写手 再短些", story, row("waiting"))).toEqual({
    kind: "resume",
    run: "r-5",
    answer: { answer: "order", order },
    overrides,
  });
  expect(startOf("p-1", "＠写手 再短些", story, row("done"))).toEqual({
    kind: "tell",
    project: "p-1",
    order,
    overrides,
  });
});

it("keeps the chosen stops when the page is loaded anew", () => {
  sessionStorage.clear();
  expect(readStops()).toEqual({});
  useStops.getState().turn("r-3", "after", "plot_agent");
  expect(readStops()).toMatchObject({ "r-3": { before: [], after: ["plot_agent"] } });
  sessionStorage.setItem(
    "qingyu.stops",
    '{"r-3": {"before": ["plot_agent"]}, "r-4": {"before": [], "after": []}}',
  );
  expect(readStops()).toEqual({ "r-4": { before: [], after: [] } });
  sessionStorage.setItem("qingyu.stops", "{");
  expect(readStops()).toEqual({});
});

it("sends the stops chosen before the first start beside the other settings of the run", () => {
  const stops = turned(turned(NO_STOPS, "before", "review_agent"), "after", "outline_agent");
  const overrides = { pipeline: { directions: 3 } };
  expect(startingWith(stops, { overrides })).toEqual({
    overrides: { ...overrides, breakpoints: { before: ["review_agent"], after: ["outline_agent"] } },
  });
  expect(startingWith(turned(stops, "before", "review_agent"), { premise: "灯" })).toEqual({
    premise: "灯",
    overrides: { breakpoints: { before: [], after: ["outline_agent"] } },
  });
  expect(startingWith(NO_STOPS, { premise: "灯" })).toEqual({ premise: "灯" });
});
