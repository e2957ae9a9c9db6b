import { create } from "zustand";
import type { StartRequest } from "../api/schema";

/** The steps of a run before and after which it stops. */
export type Stops = { before: readonly string[]; after: readonly string[] };

type Chosen = {
  /** By run; a run without an entry keeps the stops that it was started with. */
  byRun: Readonly<Record<string, Stops>>;
  turn(run: string, side: keyof Stops, step: string): void;
};

const NONE: Stops = { before: [], after: [] };

export const useStops = create<Chosen>((set) => ({
  byRun: {},
  turn: (run, side, step) =>
    set(({ byRun }) => {
      const stops = byRun[run] ?? NONE;
      const others = stops[side].filter((other) => other !== step);
      const steps = others.length < stops[side].length ? others : [...others, step];
      return { byRun: { ...byRun, [run]: { ...stops, [side]: steps } } };
    }),
}));

type Resume = Omit<Extract<StartRequest, { kind: "resume" }>, "kind" | "run">;

/** Returns a request to go on with a run, with the stops that were chosen for it. */
export function withStops(run: string, given: Resume): Resume {
  const breakpoints = useStops.getState().byRun[run];
  return breakpoints ? { ...given, overrides: { ...given.overrides, breakpoints } } : given;
}
