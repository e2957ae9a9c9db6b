import type { EventOf, RunEvent } from "./events";
import type { ChapterProgress, Correction, PhaseProgress, Review, RunState, Work } from "./state";

/** A line of what a run did; work, chapters and phases stand where they began, and change while they go on. */
export type FeedItem = { seq: number; at: string } & (
  | { kind: "begin"; isResumed: boolean; answeredBy: string | undefined; model: string }
  | { kind: "plan" }
  | { kind: "adjusted"; reason: string }
  | { kind: "work"; work: Work }
  | { kind: "chapter"; chapter: ChapterProgress }
  | { kind: "phase"; phase: PhaseProgress }
  | { kind: "review"; review: Review }
  | { kind: "correction"; correction: Correction }
  | { kind: "warning"; message: string }
  | { kind: "end"; event: EventOf<"completed" | "waiting" | "failed" | "interrupted"> }
);

export function feedItems(state: RunState): FeedItem[] {
  const work = new Map(state.work.map((one) => [one.seq, one]));
  const reviews = new Map(state.reviews.map((one) => [one.seq, one]));
  const corrections = new Map(state.corrections.map((one) => [one.seq, one]));
  const phases = new Map(state.phases.map((one) => [one.seq, one]));
  const chapters = new Map(state.chapters.map((one) => [one.chapter, one]));
  return state.feed.flatMap((event): FeedItem[] => {
    const item = itemOf(event, { work, reviews, corrections, phases, chapters });
    return item ? [item] : [];
  });
}

type Known = {
  work: Map<number, Work>;
  reviews: Map<number, Review>;
  corrections: Map<number, Correction>;
  phases: Map<number, PhaseProgress>;
  chapters: Map<number, ChapterProgress>;
};

function itemOf(event: RunEvent, known: Known): FeedItem | undefined {
  const place = { seq: event.seq, at: event.at };
  const begun = known.work.get(event.seq);
  if (begun) return { ...place, kind: "work", work: begun };
  switch (event.kind) {
    case "run_started":
      return {
        ...place,
        kind: "begin",
        isResumed: event.resumed,
        answeredBy: event.answered_by ?? undefined,
        model: event.model.model,
      };
    case "planned":
    case "task_split":
      return { ...place, kind: "plan" };
    case "plan_adjusted":
      return { ...place, kind: "adjusted", reason: event.reason };
    case "chapter": {
      const chapter = known.chapters.get(event.chapter);
      return event.step.step === "started" && chapter ? { ...place, kind: "chapter", chapter } : undefined;
    }
    case "phase": {
      const phase = known.phases.get(event.seq);
      return phase && { ...place, kind: "phase", phase };
    }
    case "reviewed": {
      const review = known.reviews.get(event.seq);
      return review && { ...place, kind: "review", review };
    }
    case "correction_planned": {
      const correction = known.corrections.get(event.seq);
      return correction && { ...place, kind: "correction", correction };
    }
    case "warning":
      return { ...place, kind: "warning", message: event.message };
    case "completed":
    case "waiting":
    case "failed":
    case "interrupted":
      return { ...place, kind: "end", event };
    default:
      return undefined;
  }
}

/** How much is done of what is known to be done. */
export function progressOf(state: RunState): { done: number; of: number } | undefined {
  if (state.chapterCount > 0) {
    return { done: state.chapters.filter((one) => one.to !== undefined).length, of: state.chapterCount };
  }
  if (state.steps.length > 0) {
    const last = new Map(state.work.map((one) => [one.step, one.status]));
    return {
      done: state.steps.filter((step) => last.get(step.id) === "done").length,
      of: state.steps.length,
    };
  }
  return undefined;
}

/** How long a run worked, without the time it waited. */
export function workedMillis(attempts: RunState["attempts"], now: number): number {
  return attempts.reduce(
    (sum, { from, to }) => sum + Math.max(0, (to ? Date.parse(to) : now) - Date.parse(from)),
    0,
  );
}
