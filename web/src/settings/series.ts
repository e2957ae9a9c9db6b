import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { changed, keys, queries } from "../api/queries";
import type { EarlierKind, EarlierRequest, EarlierRow, ProjectRow } from "../api/schema";

/** The places of an earlier book beside a later one. */
export const earlierKinds = ["volume", "canon"] as const satisfies EarlierKind[];

const ofProject = (project: string) => [...keys.project(project), "series"];

export function useSeries(project: string) {
  return useQuery({
    queryKey: ofProject(project),
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/series", { params: { path: { project } } })),
  });
}

/** Replaces the books before a project; its findings change with them. */
export function useSetSeries(project: string) {
  return useMutation({
    mutationFn: (books: EarlierRequest[]) =>
      answer(
        http.PUT("/api/v1/projects/{project}/series", { params: { path: { project } }, body: { books } }),
      ),
    // The next change is made to these rows, not to those before.
    onSuccess: (rows) => queries.setQueryData(ofProject(project), rows),
    onSettled: () => changed(project),
  });
}

/** The rows as a request. */
export function requests(rows: readonly EarlierRow[]): EarlierRequest[] {
  return rows.map(({ project, kind, gap }) => ({ project, kind, gap }));
}

/** The rows with the row at `from` moved to `to`; the same rows if there is no such place. */
export function moved(rows: readonly EarlierRow[], from: number, to: number): EarlierRow[] {
  const row = rows[from];
  if (row === undefined || to < 0 || to >= rows.length) return [...rows];
  const rest = rows.filter((_, place) => place !== from);
  return [...rest.slice(0, to), row, ...rest.slice(to)];
}

/** The books that can be added: neither the project itself or a branch, nor already in the list. */
export function candidates(
  projects: readonly ProjectRow[],
  rows: readonly EarlierRow[],
  project: string,
): ProjectRow[] {
  const taken = new Set([project, ...rows.map((row) => row.project)]);
  return projects.filter((each) => !taken.has(each.project) && !each.branch_of);
}
