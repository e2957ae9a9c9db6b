import { useCallback } from "react";
import { answer, http } from "../api/client";
import type { RunRow, StartRequest as Start } from "../api/schema";
import type { Story } from "../api/story";
import { useBegin } from "./follow";
import { mentionsOf, taskOf } from "./mentions";
import { withStops } from "./stops";
import { useTalk } from "./talk";
import type { Place } from "./where";

/** How the author's words set something to work. */
export function useSay(project: string, story: Story | undefined, row: RunRow | undefined) {
  const begin = useBegin(project);
  const say = (text: string, place?: Place) => {
    if (story) begin.mutate(startOf(project, text, story, row, place));
  };
  return { begin, say };
}

/** What a run is to do that begins, or goes on, with these words. */
export function startOf(
  project: string,
  text: string,
  story: Story,
  row: RunRow | undefined,
  place?: Place,
): Start {
  if (!story.production) {
    const task = taskOf(text, mentionsOf(story), place);
    return { kind: "task", project, task, options: { writes: "ask" } };
  }
  const order = { do: "say" as const, text: text.replaceAll("＠", "@") };
  if (row?.status === "waiting") {
    return { kind: "resume", run: row.run, ...withStops(row.run, { answer: { answer: "order", order } }) };
  }
  return { kind: "tell", project, ...withStops(row?.run, { order }) };
}

/** Asks the book, and the earlier ones of its series where that is wanted; what comes back stands in the conversation. */
export function useAsk(project: string): (question: string, series: boolean) => Promise<void> {
  const put = useTalk((talk) => talk.put);
  return useCallback(
    async (question, series) => {
      const asked = { id: crypto.randomUUID(), at: new Date().toISOString(), question };
      put(project, { ...asked, answered: undefined, failure: undefined });
      const body = { request: { question, series } };
      try {
        const params = { path: { project } };
        const answered = await answer(http.POST("/api/v1/projects/{project}/ask", { params, body }));
        put(project, { ...asked, answered, failure: undefined });
      } catch (failure) {
        put(project, { ...asked, answered: undefined, failure });
      }
    },
    [project, put],
  );
}
