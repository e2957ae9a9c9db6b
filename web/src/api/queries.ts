import { type InfiniteData, QueryClient, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { answer, http } from "./client";
import { Problem } from "./problem";
import type { ProjectStatus, RunRow } from "./schema";
import { wholeView } from "./story";

/** What the server said, kept while it is fresh; asked again after a failure that may pass. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // The server is often this machine, which needs no network to reach it.
      networkMode: "always",
      staleTime: 5_000,
      retry: (failures, error) => failures < 3 && error instanceof Problem && error.isPassing,
    },
    mutations: { networkMode: "always" },
  },
});

/** Everything that is known of a project is below its key, so that a change of it makes all of that stale. */
export const keys = {
  projects: ["projects"] as const,
  runs: ["runs"] as const,
  project: (project: string) => ["project", project] as const,
  view: (project: string) => ["project", project, "view"] as const,
  chapters: (project: string) => ["project", project, "chapters"] as const,
  chapter: (project: string, chapter: string) => ["project", project, "chapter", chapter] as const,
};

/** A project changed: what is shown of it is asked for again. */
export function changed(project: string): void {
  void queries.invalidateQueries({ queryKey: keys.project(project) });
  void queries.invalidateQueries({ queryKey: keys.projects });
}

/**
 * Fetches the story and the chapter list of a project again, and resolves when both are there: a page that goes to a new
 * chapter must know it. Everything else that is known of the project is fetched again in the background.
 */
export async function refreshChapters(project: string): Promise<void> {
  const first = [keys.view(project), keys.chapters(project)];
  await Promise.all(first.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const names = new Set<unknown>(first.map(([, , name]) => name));
  void queries.invalidateQueries({
    queryKey: keys.project(project),
    predicate: ({ queryKey }) => !names.has(queryKey[2]),
  });
  void queries.invalidateQueries({ queryKey: keys.projects });
}

export const OFTEN = 4_000;
/** How many runs a page of them has. */
const PAGE = 100;
/** How many open runs are looked at. */
const MOST_OPEN = 500;

/** The projects on the shelf, in the archive, or in the bin. */
export function useProjects(status: ProjectStatus = "active") {
  return useQuery({
    queryKey: [...keys.projects, status],
    queryFn: () => answer(http.GET("/api/v1/projects", { params: { query: { status } } })),
  });
}

/** A project with its story, its runs and what the newest of them asks. */
export function useProject(project: string) {
  return useQuery({
    queryKey: keys.view(project),
    queryFn: async () =>
      wholeView(await answer(http.GET("/api/v1/projects/{project}/view", { params: { path: { project } } }))),
  });
}

/** The chapters of a project in reading order, planned ones included, as the server numbers them. */
export function useChapters(project: string, enabled = true) {
  return useQuery({
    queryKey: keys.chapters(project),
    enabled,
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/chapters", { params: { path: { project } } })),
  });
}

/** The runs of all books that are worked on or wait for a person; asked for again every few seconds while the page is seen. */
export function useOpenRuns(isAskedInBackground = false) {
  return useQuery({
    queryKey: [...keys.runs, "open"],
    queryFn: () => answer(http.GET("/api/v1/runs", { params: { query: { open: true, limit: MOST_OPEN } } })),
    refetchInterval: OFTEN,
    refetchIntervalInBackground: isAskedInBackground,
  });
}

/** The rows of all pages; a function that stays the same, so that they are put together only when a page is another. */
const rows = ({ pages }: InfiniteData<RunRow[]>): RunRow[] => pages.flat();

/** The newest runs of a book, newest first, as far back as somebody has looked; asked for page by page, and again every few seconds. */
export function useRunsOf(project: string) {
  return useInfiniteQuery({
    queryKey: [...keys.runs, "of", project],
    queryFn: ({ pageParam: after }) =>
      answer(http.GET("/api/v1/runs", { params: { query: { project, limit: PAGE, after } } })),
    initialPageParam: undefined as string | undefined,
    select: rows,
    getNextPageParam: (page) => (page.length === PAGE ? page.at(-1)?.run : undefined),
    refetchInterval: OFTEN,
  });
}

/** A run as it stands in lists; asked for again every few seconds while the page is seen. */
export function useRun(run: string | undefined) {
  return useQuery({
    queryKey: [...keys.runs, "one", run ?? ""],
    enabled: run !== undefined,
    queryFn: () => answer(http.GET("/api/v1/runs/{run}/summary", { params: { path: { run: run ?? "" } } })),
    refetchInterval: OFTEN,
  });
}
