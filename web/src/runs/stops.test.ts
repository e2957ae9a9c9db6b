import { expect, it } from "vitest";
import { useStops, withStops } from "./stops";

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
});
