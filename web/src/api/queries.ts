import { QueryClient, useQuery } from "@tanstack/react-query";
import { answer, http } from "./client";
import { Problem } from "./problem";
import { wholeView } from "./story";

/** What the server said, kept while it is fresh; asked again after a failure that may pass. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => failures < 3 && error instanceof Problem && error.isPassing,
    },
  },
});

/** Everything that is known of a project is below its key, so that a change of it makes all of that stale. */
export const keys = {
  projects: ["projects"] as const,
  runs: ["runs"] as const,
  project: (project: string) => ["project", project] as const,
  view: (project: string) => ["project", project, "view"] as const,
  chapter: (project: string, chapter: string) => ["project", project, "chapter", chapter] as const,
};

/** A project changed: what is shown of it is asked for again. */
export function changed(project: string): void {
  void queries.invalidateQueries({ queryKey: keys.project(project) });
  void queries.invalidateQueries({ queryKey: keys.projects });
}

const OFTEN = 4_000;

export function useProjects() {
  return useQuery({ queryKey: keys.projects, queryFn: () => answer(http.GET("/api/v1/projects")) });
}

/** A project with its story, its runs and what the newest of them asks. */
export function useProject(project: string) {
  return useQuery({
    queryKey: keys.view(project),
    queryFn: async () =>
      wholeView(await answer(http.GET("/api/v1/projects/{project}/view", { params: { path: { project } } }))),
  });
}

/** All runs, newest first; asked for again every few seconds while the page is seen. */
export function useRuns() {
  return useQuery({
    queryKey: keys.runs,
    queryFn: () => answer(http.GET("/api/v1/runs")),
    refetchInterval: OFTEN,
  });
}
