import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import type { Order, ScheduleStatus } from "../api/schema";

const ofProject = (project: string) => [...keys.project(project), "schedule"];

/** When a server gives a production an order by itself, and what came of the last time. */
export function useSchedule(project: string) {
  return useQuery({
    queryKey: ofProject(project),
    queryFn: async () => {
      const params = { path: { project } };
      return statusOf(await answer(http.GET("/api/v1/projects/{project}/schedule", { params })));
    },
  });
}

/** Sets the schedule; without an interval there is none any more. */
export function useSetSchedule(project: string) {
  return useMutation({
    mutationFn: async (body: { every: string | null; order: Order | null }) => {
      const params = { path: { project } };
      return statusOf(await answer(http.PUT("/api/v1/projects/{project}/schedule", { params, body })));
    },
    onSuccess: (status) => queries.setQueryData(ofProject(project), status),
  });
}

/** Pairs are pairs again: the types of answers have them as lists. */
function statusOf(answered: object): ScheduleStatus {
  return answered as ScheduleStatus;
}

/** The intervals that are offered, with their names. */
export const intervals = { "1d": "day", "1w": "week", "4w": "month" } as const;

/** The intervals to choose from: those offered, and one that was set elsewhere. */
export function choices(every: string | null | undefined): string[] {
  const offered = Object.keys(intervals);
  return every && !offered.includes(every) ? [...offered, every] : offered;
}

/** What a production is to do each time. */
export type Task = "next" | "stale" | "say" | "other";

/** What an order of a schedule is; `other` for one that only programs give. */
export function taskOf(order: Order | null | undefined): Task {
  if (!order) return "next";
  if (order.do === "make_stale") return "stale";
  return order.do === "say" ? "say" : "other";
}

/** The order for a task; `other` keeps the one that there is. */
export function orderFor(task: Task, words: string, kept: Order | null | undefined): Order | null {
  switch (task) {
    case "stale":
      return { do: "make_stale" };
    case "say":
      return words.trim() === "" ? null : { do: "say", text: words.trim() };
    case "other":
      return kept ?? null;
    default:
      return null;
  }
}
