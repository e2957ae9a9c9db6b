import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { changed, keys, queries } from "../api/queries";
import type { MirrorReading, MirrorRefusal, MirrorRun, MirrorStatus, UnreadField } from "../api/schema";

const ofProject = (project: string) => [...keys.project(project), "mirror"];

/** The mirror of a book: where it is, what was read back from it, and what was changed there since. */
export function useMirror(project: string) {
  return useQuery({
    queryKey: ofProject(project),
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/mirror", { params: { path: { project } } })),
  });
}

/** Switches the mirror or its commits. */
export function useSwitchMirror(project: string) {
  return useMutation({
    mutationFn: (body: { on?: boolean; git?: boolean }) =>
      answer(http.PUT("/api/v1/projects/{project}/mirror", { params: { path: { project } }, body })),
    onSuccess: (status) => queries.setQueryData(ofProject(project), status),
  });
}

/** Whether the caller may turn the switch of the commits: off always, on at the server's machine only. */
export function mayTurn({ git, may_commit }: Pick<MirrorStatus, "git" | "may_commit">): boolean {
  return git || may_commit;
}

/** Updates the mirror at once, after reading changes back if wanted. */
export function useRunMirror(project: string) {
  return useMutation({
    mutationFn: (read: boolean) =>
      answer(
        http.POST("/api/v1/projects/{project}/mirror", { params: { path: { project } }, body: { read } }),
      ),
    onSettled: (_, __, read) => {
      if (read) changed(project);
      return queries.invalidateQueries({ queryKey: ofProject(project) });
    },
  });
}

/** The number of files that wait for the author: not read back, or kept by the update as they are. */
export function waitingFiles({ read, update }: MirrorRun): number {
  const unread = [...(read?.conflicts ?? []), ...(read?.refused ?? [])].map(({ path }) => path);
  return new Set([...unread, ...update.kept]).size;
}

/** What became of a file that was changed in the folder. */
export type Outcome =
  | { kind: "edited" | "layout"; title: string }
  | { kind: "card"; title: string; fields: readonly string[] }
  | { kind: "conflict"; path: string; title: string; beside: string }
  | { kind: "gone" | "deleted"; path: string }
  | { kind: "fields"; path: string; fields: readonly UnreadField[] }
  | { kind: Exclude<MirrorRefusal["reason"], "unread_fields">; path: string };

/** What became of each file, what waits for the author first. */
export function outcomes(reading: MirrorReading): Outcome[] {
  const { edited, cards = [], conflicts, refused = [], deleted = [] } = reading;
  return [
    ...conflicts.map(
      ({ path, title, beside }): Outcome =>
        beside === "" ? { kind: "gone", path } : { kind: "conflict", path, title, beside },
    ),
    ...refused.map(
      (refusal): Outcome =>
        refusal.reason === "unread_fields"
          ? { kind: "fields", path: refusal.path, fields: refusal.fields }
          : { kind: refusal.reason, path: refusal.path },
    ),
    ...deleted.map((path): Outcome => ({ kind: "deleted", path })),
    ...edited.map(({ title, change }): Outcome => ({ kind: change == null ? "layout" : "edited", title })),
    ...cards.map(
      ({ name, fields }): Outcome =>
        fields.length === 0 ? { kind: "layout", title: name } : { kind: "card", title: name, fields },
    ),
  ];
}
