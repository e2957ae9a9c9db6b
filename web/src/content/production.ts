import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { answer, http } from "../api/client";
import { changed, keys, queries, useRunsOf } from "../api/queries";
import type { FieldView, Order, PhaseRow, ProductionView } from "../api/schema";

/** A production as it is told: its newest run and how that stands come as a pair. */
export type View = Omit<ProductionView, "run"> & { run?: readonly string[] | null };
export type FieldRow = View["fields"][number];
export type FieldStatus = FieldRow["status"];

const OFTEN = 1_500;

/** A production as it stands; asked for again while a run works on it. */
export function useProduction(project: string) {
  useFollowing(project);
  return useQuery({
    queryKey: [...keys.project(project), "production"],
    queryFn: (): Promise<View> =>
      answer(http.GET("/api/v1/projects/{project}/production", { params: { path: { project } } })),
    refetchInterval: ({ state }) => (isAtWork(state.data) ? OFTEN : false),
  });
}

/** Whenever a run of the project begins, waits or ends, everything of it may be another. */
function useFollowing(project: string): void {
  const { data: runs } = useRunsOf(project);
  const stand = runs?.map((run) => `${run.run} ${run.status}`).join();
  const before = useRef(stand);
  useEffect(() => {
    if (before.current !== undefined && before.current !== stand) changed(project);
    before.current = stand;
  }, [project, stand]);
}

/** Whether a run works on it now. */
export function isAtWork(view: Pick<View, "run"> | undefined): boolean {
  return view?.run?.[1] === "running";
}

/** Tells the production what to do next; its run goes on with it. */
export function useOrder(project: string) {
  return useMutation({
    mutationFn: (order: Order) =>
      answer(http.POST("/api/v1/runs", { body: { start: { kind: "tell", project, order } } })),
    onSettled: () => {
      changed(project);
      void queries.invalidateQueries({ queryKey: keys.runs });
    },
  });
}

/** A field with its value; `version` is the one that the board shows of it, and another makes it be asked for again. */
export function useField(project: string, path: string, version: number) {
  return useQuery({
    queryKey: [...keys.project(project), "field", path, version],
    queryFn: () => getField(project, path),
    placeholderData: (before: FieldView | undefined) => (before?.path === path ? before : undefined),
  });
}

export function getField(project: string, path: string) {
  return answer(
    http.GET("/api/v1/projects/{project}/field", { params: { path: { project }, query: { path } } }),
  );
}

/** Says that fields are good as they are. */
export function useConfirm(project: string) {
  return useMutation({
    mutationFn: (paths: string[]) =>
      answer(
        http.POST("/api/v1/projects/{project}/fields/confirm", {
          params: { path: { project } },
          body: { paths },
        }),
      ),
    onSettled: () => changed(project),
  });
}

/** How a phase stands, as its mark on the board shows it. */
export type PhaseState = "done" | "stale" | "working" | "now" | "begun" | "empty";

type Counted = Pick<PhaseRow, "name" | "is_done" | "empty" | "draft" | "confirmed" | "stale">;

/** How a phase stands: something stale is what one must know first, then where the work is. */
export function phaseState(phase: Counted, view: Pick<View, "current_phase" | "run">): PhaseState {
  if (phase.stale > 0) return "stale";
  if (view.current_phase === phase.name) return isAtWork(view) ? "working" : "now";
  if (phase.is_done) return "done";
  return phase.draft + phase.confirmed > 0 ? "begun" : "empty";
}

/** The path of what a field is made from, without the pointer to a part of it. */
export function pathOf(reference: string): string {
  return reference.split("#", 1)[0] ?? reference;
}

/** The fields before and after one, in the order of the board. */
export function neighbours(
  fields: readonly FieldRow[],
  path: string,
): [FieldRow | undefined, FieldRow | undefined] {
  const place = fields.findIndex((field) => field.path === path);
  return place < 0 ? [undefined, undefined] : [fields[place - 1], fields[place + 1]];
}
