import { Problem } from "../api/problem";

/** The failures of a chapter edit that have a message of their own. */
export type Trouble =
  | "conflict"
  | "changed_since"
  | "gone"
  | "ambiguous"
  | "no_title"
  | "not_once"
  | "no_next"
  | "name_taken"
  | "busy";

const REASONS: readonly string[] = ["no_title", "not_once", "no_next", "name_taken"] satisfies Trouble[];

/** Returns the message for an error of a chapter edit; undefined if the general message of its code fits. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Problem)) return undefined;
  const { code, status } = error;
  if (code === "bad_chapter_edit") return reasonOf(error);
  if (code === "changed_since") return "changed_since";
  if (code === "unknown_document") return "gone";
  if (code === "ambiguous_chapter") return "ambiguous";
  if (code === "request_at_work" || code === "request_interrupted") return "busy";
  // A book in the bin is read-only: no second attempt helps.
  if (code === "project_binned") return undefined;
  return status === 409 || status === 412 ? "conflict" : undefined;
}

function reasonOf({ data }: Problem): Trouble | undefined {
  const details = data.data;
  if (typeof details !== "object" || details === null || !("reason" in details)) return undefined;
  const { reason } = details;
  return typeof reason === "string" && REASONS.includes(reason) ? (reason as Trouble) : undefined;
}
