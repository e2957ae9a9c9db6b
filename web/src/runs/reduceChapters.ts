import type { EventOf } from "./events";
import type { ChapterProgress, RunState } from "./state";

/** A chapter came one step further. */
export function chapterTold(state: RunState, event: EventOf<"chapter">): RunState {
  const { step } = event;
  const known = state.chapters.find((one) => one.chapter === event.chapter);
  const before = known && step.step !== "started" ? known : begun(event);
  const after = further(before, event);
  const chapters = known
    ? state.chapters.map((one) => (one === known ? after : one))
    : [...state.chapters, after];
  const saved =
    step.step === "settled"
      ? [
          ...state.saved,
          {
            seq: event.seq,
            at: event.at,
            version: step.version,
            pieces: Object.values(step.counts).reduce((sum, count) => sum + count, 0),
            agent: "settlement_agent",
          },
        ]
      : state.saved;
  return { ...state, chapters, saved, chapterCount: step.step === "started" ? step.of : state.chapterCount };
}

function begun(event: EventOf<"chapter">): ChapterProgress {
  return {
    chapter: event.chapter,
    title: event.title,
    task: event.step.step === "started" ? event.step.task : "",
    stage: "started",
    from: event.at,
    to: undefined,
    scenes: [],
    words: 0,
    score: undefined,
    verdict: undefined,
    fixed: 0,
    isForced: false,
    version: undefined,
  };
}

function further(chapter: ChapterProgress, { at, step }: EventOf<"chapter">): ChapterProgress {
  const staged = { ...chapter, stage: step.step };
  switch (step.step) {
    case "started":
      return staged;
    case "planned":
      return { ...staged, scenes: step.scenes };
    case "written":
      return { ...staged, words: step.words };
    case "reviewed":
      return { ...staged, verdict: step.verdict, score: step.verdict.score };
    case "fixed":
      return { ...staged, fixed: chapter.fixed + step.fixed };
    case "accepted":
      return { ...staged, words: step.words, score: step.score ?? chapter.score, isForced: step.forced };
    case "settled":
      return { ...staged, version: step.version, to: at };
    case "briefed":
      return { ...staged, to: at };
  }
}
