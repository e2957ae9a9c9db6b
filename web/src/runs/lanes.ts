import type { RunState, WorkStatus } from "./state";

/** A stretch of work in hundredths of the whole width. */
export type Stretch = {
  key: string;
  left: number;
  width: number;
  label: string;
  status: WorkStatus;
  from: string;
  millis: number;
};

/** What one agent did when; what it did at once stands in rows of its own. */
export type Lane = { agent: string; row: number; stretches: Stretch[] };

type Span = { key: string; agent: string; from: number; to: number; label: string; status: WorkStatus };

/** The longest pause that is drawn, as a share of all work. */
const PAUSE = 0.04;
/** The narrowest stretch that can still be seen, in hundredths. */
const NARROWEST = 0.6;

/** Who worked when. Time in which nobody worked is shortened. */
export function lanesOf(state: RunState, now: number): Lane[] {
  const spans = spansOf(state, now).sort((a, b) => a.from - b.from);
  const place = placing(spans);
  const lanes: (Lane & { end: number })[] = [];
  for (const span of spans) {
    const left = place(span.from);
    const width = Math.max(NARROWEST, place(span.to) - left);
    const { key, label, status } = span;
    const stretch = { key, left, width, label, status, from: iso(span.from), millis: span.to - span.from };
    const free = lanes.find((lane) => lane.agent === span.agent && lane.end <= left + 0.01);
    if (free) {
      free.stretches.push(stretch);
      free.end = left + width;
      continue;
    }
    const row = lanes.filter((lane) => lane.agent === span.agent).length;
    lanes.push({ agent: span.agent, row, stretches: [stretch], end: left + width });
  }
  const first = new Map<string, number>();
  for (const [index, lane] of lanes.entries()) if (!first.has(lane.agent)) first.set(lane.agent, index);
  return lanes
    .sort((a, b) => (first.get(a.agent) ?? 0) - (first.get(b.agent) ?? 0) || a.row - b.row)
    .map(({ agent, row, stretches }) => ({ agent, row, stretches }));
}

function iso(at: number): string {
  return new Date(at).toISOString();
}

/** Work that has a beginning and an end; calls where an agent has nothing else. */
function spansOf(state: RunState, now: number): Span[] {
  const work = state.work.map((one): Span => {
    const from = Date.parse(one.from);
    const to = one.to ? Date.parse(one.to) : now;
    return {
      key: String(one.seq),
      agent: one.agent,
      from,
      to: Math.max(from, to),
      label: one.task,
      status: one.status,
    };
  });
  const known = new Set(work.map((span) => span.agent));
  const calls = [...state.calls.values()]
    .filter((call) => !known.has(call.agent))
    .map((call): Span => {
      const to = Date.parse(call.at);
      return {
        key: call.key,
        agent: call.agent,
        from: to - call.millis,
        to,
        label: call.purpose,
        status: "done",
      };
    });
  return [...work, ...calls];
}

/** Where a point in time stands, in hundredths, once pauses are shortened. */
function placing(spans: readonly Span[]): (at: number) => number {
  const worked = merged(spans);
  const total = worked.reduce((sum, { from, to }) => sum + (to - from), 0);
  const pause = Math.max(1, total * PAUSE);
  let length = 0;
  const starts = worked.map(({ from, to }, index) => {
    const before = worked[index - 1];
    if (before) length += Math.min(pause, from - before.to);
    const start = length;
    length += to - from;
    return { from, to, start };
  });
  return (at) => {
    const within = starts.findLast((one) => one.from <= at) ?? starts[0];
    if (!within || length === 0) return 0;
    return (100 * (within.start + Math.min(at, within.to) - within.from)) / length;
  };
}

function merged(spans: readonly Span[]): { from: number; to: number }[] {
  const together: { from: number; to: number }[] = [];
  for (const { from, to } of spans) {
    const last = together.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else together.push({ from, to });
  }
  return together;
}
