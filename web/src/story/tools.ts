import { useMutation, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { answer, http } from "../api/client";
import { changed, keys } from "../api/queries";
import type { PieceKind } from "../api/schema";
import { language } from "../words";

/** A tool that could not do what it was asked, in its own words. */
export class ToolFailure extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = "ToolFailure";
    this.code = code;
  }
}

/** Calls a tool on a project. What it could not do is thrown, though it comes as data. */
export async function callTool(
  project: string,
  tool: string,
  given: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const told = await answer(
    http.POST("/api/v1/projects/{project}/tools/{tool}", {
      params: { path: { project, tool } },
      body: { arguments: given, language: language() },
    }),
  );
  return resultOf(told);
}

/** What a tool answers if it did its work. */
export function resultOf(told: unknown): Record<string, unknown> {
  if (isRecord(told) && told.ok === true) return isRecord(told.result) ? told.result : {};
  const error = isRecord(told) && isRecord(told.error) ? told.error : {};
  const word = (value: unknown, other: string) => (typeof value === "string" ? value : other);
  const code = word(error.code, "failed");
  throw new ToolFailure(code, word(error.message, code));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A change of one piece. */
export type Edit =
  | { action: "create"; kind: PieceKind; data: Record<string, unknown> }
  | { action: "update"; kind: PieceKind; id?: string; data: Record<string, unknown> }
  | { action: "delete"; kind: PieceKind; id: string };

/** Changes pieces of a story; everything that is shown of it is asked for again afterwards. */
export function useEdit(project: string) {
  return useMutation({
    mutationFn: (edit: Edit) => callTool(project, "story_tool", edit),
    onSuccess: () => changed(project),
  });
}

/** The findings of the checker, for rules whose codes begin so; of all rules if none are named. */
export function useCheck(project: string, only: string[] = []) {
  return useQuery({
    queryKey: [...keys.project(project), "check", ...only],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/check", { params: { path: { project }, query: { only } } }),
      ),
  });
}

/** The rules in the reader's language, by their codes. */
export function useRules() {
  const spoken = language();
  const { data } = useQuery({
    queryKey: ["rules", spoken],
    queryFn: () => answer(http.GET("/api/v1/rules", { params: { query: { language: spoken } } })),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => new Map(data?.map((rule) => [rule.code, rule])), [data]);
}
