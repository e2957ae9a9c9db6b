import { create } from "zustand";

/** The steps of a run before and after which it stops. */
export type Stops = { before: readonly string[]; after: readonly string[] };

type Chosen = {
  /** By run; a run without an entry keeps the stops that it was started with. */
  byRun: Readonly<Record<string, Stops>>;
  turn(run: string, side: keyof Stops, step: string): void;
};

export const NO_STOPS: Stops = { before: [], after: [] };
const KEPT = "qingyu.stops";

export const useStops = create<Chosen>((set) => ({
  byRun: readStops(),
  turn: (run, side, step) =>
    set(({ byRun }) => ({ byRun: { ...byRun, [run]: turned(byRun[run] ?? NO_STOPS, side, step) } })),
}));
useStops.subscribe(({ byRun }) => sessionStorage.setItem(KEPT, JSON.stringify(byRun)));

/** Returns the stops with the one of a step added, or removed if it is there. */
export function turned(stops: Stops, side: keyof Stops, step: string): Stops {
  const others = stops[side].filter((other) => other !== step);
  const steps = others.length < stops[side].length ? others : [...others, step];
  return { ...stops, [side]: steps };
}

/** Returns the stops chosen in this tab before the page was loaded anew. */
export function readStops(): Record<string, Stops> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEPT) ?? "null");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(
      Object.entries(kept).filter((entry): entry is [string, Stops] => isStops(entry[1])),
    );
  } catch {
    return {};
  }
}

function isStops(value: unknown): value is Stops {
  if (typeof value !== "object" || value === null) return false;
  const { before, after } = value as Partial<Record<keyof Stops, unknown>>;
  return [before, after].every(
    (steps) => Array.isArray(steps) && steps.every((step) => typeof step === "string"),
  );
}

type WithOverrides = { overrides?: { [key: string]: unknown } };

/** Returns a request to go on with a run, or with the work of its project, with the stops that were chosen for the run. */
export function withStops<Given extends object>(
  run: string | undefined,
  given: Given & WithOverrides,
): Given & WithOverrides {
  const breakpoints = run === undefined ? undefined : useStops.getState().byRun[run];
  return breakpoints ? { ...given, overrides: { ...given.overrides, breakpoints } } : given;
}

/** Returns the first request of a run with the stops chosen for it; without any, those of the settings count. */
export function startingWith<Given extends object>(
  breakpoints: Stops,
  given: Given & WithOverrides,
): Given & WithOverrides {
  if (breakpoints.before.length + breakpoints.after.length === 0) return given;
  return { ...given, overrides: { ...given.overrides, breakpoints } };
}
