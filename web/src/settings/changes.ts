import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { Problem } from "../api/problem";
import { keys, queries } from "../api/queries";
import type { SettingChange } from "../api/schema";

const keyOf = (project: string) => (project === "" ? ["settings"] : [...keys.project(project), "settings"]);

/** The settings as they hold: for a project, or for all of them. */
export function useSettings(project: string) {
  return useQuery({
    queryKey: keyOf(project),
    queryFn: () => answer(http.GET("/api/v1/settings", { params: { query: { project: project || null } } })),
  });
}

/** A setting that is to be changed; one without a value is taken out of the file. */
export type Step = { key: string; value?: unknown };

/** Writes settings into the file one after the other, and stops at the first that is refused. */
export function useChangeSettings(project: string) {
  return useMutation({
    mutationFn: async (steps: readonly Step[]): Promise<SettingChange[]> => {
      const changes: SettingChange[] = [];
      for (const step of steps) changes.push(await change(step, project));
      return changes;
    },
    // What was typed is shown until what holds is known.
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ["models"] });
      void queries.invalidateQueries({ queryKey: ["prices"] });
      void queries.invalidateQueries({ queryKey: ["rules"] });
      return queries.invalidateQueries({ queryKey: keyOf(project) });
    },
  });
}

function change({ key, value }: Step, project: string): Promise<SettingChange> {
  const of = project || null;
  return value === undefined
    ? answer(http.DELETE("/api/v1/settings", { params: { query: { key, project: of } } }))
    : answer(http.PUT("/api/v1/settings", { body: { key, value, project: of } }));
}

/** Which setting was refused and why; nothing for other failures. */
export function refused(error: unknown): { key: string; message: string } | undefined {
  if (!(error instanceof Problem) || error.code !== "bad_settings") return undefined;
  const { key, message } = (error.data.data ?? {}) as { key?: unknown; message?: unknown };
  return { key: String(key ?? ""), message: String(message ?? error.message) };
}
