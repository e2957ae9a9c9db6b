import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { create } from "zustand";
import { answer, http } from "../api/client";
import { changed, keys, queries, useRun, useRunsOf } from "../api/queries";
import type { RunRow, StartRequest as Start } from "../api/schema";
import { withStops } from "./stops";
import { follow, goOn, useWatched } from "./watch";

type Resume = Extract<Start, { kind: "resume" }>;

type Chosen = {
  /** The run of each project that the author looks at; the newest where none is chosen. */
  runs: Readonly<Record<string, string>>;
  /** The run whose page is open: what it asks is asked there. */
  page: string | undefined;
  choose(project: string, run: string | undefined): void;
  showPage(run: string | undefined): void;
};

export const useChosen = create<Chosen>((set, get) => ({
  runs: {},
  page: undefined,
  showPage: (page) => set({ page }),
  choose(project, run) {
    const { [project]: _, ...others } = get().runs;
    set({ runs: run === undefined ? others : { ...others, [project]: run } });
  },
}));

const none: RunRow[] = [];

/** The run that is looked at: the chosen one, else the newest; watched as long as somebody looks. */
export function useFollowed(project: string): {
  rows: RunRow[];
  row: RunRow | undefined;
  run: string | undefined;
} {
  const { data: rows = none } = useRunsOf(project);
  const chosen = useChosen((all) => all.runs[project]);
  const run = chosen ?? rows[0]?.run;
  const listed = rows.find((one) => one.run === run);
  const older = useRun(listed ? undefined : chosen).data;
  const row = listed ?? older;
  const hasEnded = useWatched((watched) => watched.isOver && watched.refusal === undefined);
  const isBehind = row?.status === "running" && hasEnded;
  useEffect(() => {
    if (run !== undefined) follow(run);
  }, [run]);
  useEffect(() => {
    if (!isBehind) return;
    const timer = setTimeout(goOn, 300);
    return () => clearTimeout(timer);
  }, [isBehind]);
  return { rows, row, run };
}

/** A run as it stands: what it made and how it came about. */
export function useOutcome(run: string | undefined) {
  return useQuery({
    queryKey: [...keys.runs, run ?? ""],
    enabled: run !== undefined,
    queryFn: () => answer(http.GET("/api/v1/runs/{run}", { params: { path: { run: run ?? "" } } })),
  });
}

/** Sets a run to work and looks at it. */
export function useBegin(project: string) {
  const choose = useChosen((all) => all.choose);
  return useMutation({
    mutationFn: (start: Start) => answer(http.POST("/api/v1/runs", { body: { start } })),
    onSuccess: ({ run }) => {
      choose(project, run);
      void queries.invalidateQueries({ queryKey: keys.runs });
      changed(project);
      setTimeout(goOn, 50);
    },
  });
}

/** Has a run go on, with an answer if it asks, or under other settings. */
export function useResume(project: string, run: string) {
  const begin = useBegin(project);
  const resume = (given: Omit<Resume, "kind" | "run"> = {}) =>
    begin.mutate({ kind: "resume", run, ...withStops(run, given) });
  return { ...begin, resume };
}

/** Stops a run at its last checkpoint. */
export function useCancel(run: string) {
  return useMutation({
    mutationFn: () => answer(http.POST("/api/v1/runs/{run}/cancel", { params: { path: { run } }, body: {} })),
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.runs }),
  });
}
