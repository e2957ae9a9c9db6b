import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../../api/client";
import { Problem } from "../../api/problem";
import { queries } from "../../api/queries";
import type { PromptRow } from "../../api/schema";
import { holding } from "../parts/holding";

const LIST = ["prompts"] as const;

export function usePrompts() {
  return useQuery({ queryKey: LIST, queryFn: () => answer(http.GET("/api/v1/prompts")) });
}

/** A prompt with its texts, filled with what a project has or with an example. */
export function usePrompt(name: string, project: string) {
  return useQuery({
    queryKey: [...LIST, name, project],
    queryFn: () =>
      answer(http.GET("/api/v1/prompt", { params: { query: { name, project: project || null } } })),
    // What is typed stays while the prompt is filled with another project.
    placeholderData: keepPreviousData,
  });
}

/** How a prompt would be filled with another text, for a project or with an example. */
export function usePreview(name: string) {
  return useMutation({
    mutationFn: ({ text, project }: { text: string; project: string }) =>
      answer(http.POST("/api/v1/prompt/preview", { body: { name, text, project: project || null } })),
  });
}

const renew = () => void queries.invalidateQueries({ queryKey: LIST });

export function useWritePrompt(name: string) {
  return useMutation({
    mutationFn: (text: string) => answer(http.PUT("/api/v1/prompt", { body: { name, text } })),
    onSuccess: renew,
  });
}

export function useDeletePrompt(name: string) {
  return useMutation({
    mutationFn: () => answer(http.DELETE("/api/v1/prompt", { params: { query: { name } } })),
    onSuccess: renew,
  });
}

/** The prompts of one agent. */
export type Group = { agent: string; prompts: PromptRow[] };

/** The prompts in a language whose name holds the words, by agent; on wish only the author's own. */
export function grouped(
  rows: readonly PromptRow[],
  wanted: { language: string; typed: string; isOwn: boolean },
): Group[] {
  const isFound = holding(wanted.typed);
  const groups: Group[] = [];
  for (const row of rows) {
    if (row.language !== wanted.language || (wanted.isOwn && !row.overridden)) continue;
    if (!isFound(row.name)) continue;
    const last = groups.at(-1);
    if (last?.agent === row.agent) last.prompts.push(row);
    else groups.push({ agent: row.agent, prompts: [row] });
  }
  return groups;
}

/** Why a text was refused as a prompt; nothing for other failures. */
export function refusedPrompt(error: unknown): { line: number | null; message: string } | undefined {
  if (!(error instanceof Problem) || error.code !== "bad_prompt") return undefined;
  const { line, message } = (error.data.data ?? {}) as { line?: unknown; message?: unknown };
  return { line: typeof line === "number" ? line : null, message: String(message ?? error.message) };
}

/** Where a line of a text begins and ends, from 1. */
export function lineSpan(text: string, line: number): [number, number] {
  const before = text.split("\n").slice(0, line - 1);
  const start = before.reduce((sum, each) => sum + each.length + 1, 0);
  const end = text.indexOf("\n", start);
  return [Math.min(start, text.length), end < 0 ? text.length : end];
}
