import { create } from "zustand";
import { changed, keys, queries } from "../api/queries";
import { type Line, watch } from "../api/stream";
import { tellSettled, tellText } from "./deltas";
import type { RunEvent } from "./events";
import { reduceAll } from "./reduce";
import { type RunState, untouched } from "./state";

type Watched = {
  /** The run that this tab watches. */
  run: string | undefined;
  state: RunState;
  /** All that is kept in its log, as far as it was read. */
  events: readonly RunEvent[];
  line: Line;
  /** Whether the server has nothing more to tell for now. */
  isOver: boolean;
  /** Why the server refuses to tell. */
  refusal: unknown;
};

const nothing: Watched = {
  run: undefined,
  state: untouched,
  events: [],
  line: "open",
  isOver: false,
  refusal: undefined,
};

/** What this tab knows of the one run that it watches. */
export const useWatched = create<Watched>(() => nothing);

let stop: AbortController | undefined;
let told: RunEvent[] = [];
let isTelling = false;
const set = useWatched.setState;

/** Watches that run from its beginning, and no other any more. */
export function follow(run: string | undefined): void {
  if (useWatched.getState().run === run) return;
  stop?.abort();
  told = [];
  set({ ...nothing, run });
  listen();
}

/** Goes on after what is known, if the run works again. */
export function goOn(): void {
  if (useWatched.getState().isOver) listen();
}

function listen(): void {
  stop?.abort();
  const { run, state } = useWatched.getState();
  if (run === undefined || document.visibilityState === "hidden") return;
  const mine = new AbortController();
  stop = mine;
  set({ isOver: false, line: "open", refusal: undefined });
  const after = told.at(-1)?.seq ?? state.seq;
  watch<RunEvent>(`/api/v1/runs/${encodeURIComponent(run)}/events`, {
    after,
    signal: mine.signal,
    onLine: (line) => set({ line }),
    onEvent: (event) => hear(event),
  }).then(
    () => end(mine, undefined),
    (refusal: unknown) => end(mine, refusal),
  );
}

function end(which: AbortController, refusal: unknown): void {
  if (stop !== which || which.signal.aborted) return;
  tell();
  set({ isOver: true, refusal });
  void queries.invalidateQueries({ queryKey: keys.runs });
  // A run may have given its book a title.
  const project = told.at(-1)?.project;
  if (project) changed(project);
}

function hear(event: RunEvent): void {
  if (event.kind === "text") {
    tell();
    const { agent, text, project } = event;
    const { chapters } = useWatched.getState().state;
    tellText({ project, agent, text, chapter: chapters.findLast((one) => one.to === undefined)?.chapter });
    return;
  }
  told.push(event);
  if (isTelling) return;
  isTelling = true;
  setTimeout(tell, TOGETHER);
}

/** Events that come within so many milliseconds are drawn together. */
const TOGETHER = 40;

function tell(): void {
  isTelling = false;
  if (told.length === 0) return;
  const news = told;
  told = [];
  const before = useWatched.getState();
  set({ state: reduceAll(news, before.state), events: [...before.events, ...news] });
  for (const event of news) if (isFresh(event)) follows(event);
}

/** What happened long ago is in every answer of the server already. */
const FRESH = 60_000;

function isFresh(event: RunEvent): boolean {
  return Date.now() - Date.parse(event.at) < FRESH;
}

function follows(event: RunEvent): void {
  const { project } = event;
  if (event.kind === "chapter" && event.step.step === "settled")
    tellSettled({ project, chapter: event.chapter });
  const isSaved = event.kind === "saved" || (event.kind === "chapter" && event.step.step === "settled");
  const isMade = event.kind === "field" && event.step.step === "made";
  const isEnd = ["completed", "waiting", "failed", "interrupted"].includes(event.kind);
  if (isSaved || isMade || isEnd) touch(project);
  if (isEnd || event.kind === "run_started") void queries.invalidateQueries({ queryKey: keys.runs });
  // What a part brought, and how it came to that, is told with the run as it stands.
  if (isEnd || event.kind === "run_started" || event.kind === "subtask_finished") {
    void queries.invalidateQueries({ queryKey: [...keys.runs, event.run] });
  }
}

const touched = new Map<string, ReturnType<typeof setTimeout>>();
const SELDOM = 1_000;

/** The project changed; it is asked for again once a second at most. */
function touch(project: string): void {
  if (touched.has(project)) return;
  changed(project);
  touched.set(
    project,
    setTimeout(() => {
      touched.delete(project);
      changed(project);
    }, SELDOM),
  );
}

// A tab that nobody sees holds no line to the server; what it missed is in the log.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") stop?.abort();
  else if (!useWatched.getState().isOver) listen();
});
