import { Problem } from "../api/problem";

/** A tab of the settings where a problem can be solved. */
export type Fix = "models" | "budget" | "access" | "prompts" | "about";

const fixes: Readonly<Record<string, Fix>> = {
  no_key: "models",
  no_model_server: "models",
  unknown_model: "models",
  provider: "models",
  no_credit: "models",
  provider_refused: "models",
  provider_address: "models",
  model_not_served: "models",
  content_refused: "models",
  empty_answer: "models",
  answer_cut: "models",
  provider_unreachable: "models",
  bad_output: "models",
  prompt_too_long: "models",
  budget: "budget",
  forbidden: "access",
  bad_prompt: "prompts",
  corrupt: "about",
  internal: "about",
};

/** The tab of the settings that helps with a problem, if one does. */
export function fixOf(error: unknown): Fix | undefined {
  if (!(error instanceof Problem)) return "about";
  return isOfMachine(error) ? undefined : fixes[error.code];
}

/** Whether something can only be done on the computer of the server, whatever the key. */
const isOfMachine = ({ code, data }: Problem) => code === "forbidden" && data.needed === "this_machine";

/** The entry of the dictionary that words a problem. */
export function wordingOf(error: unknown, isWorded: (key: string) => boolean): string {
  if (!(error instanceof Problem)) return "problem.internal";
  const { code, status } = error;
  const candidates = [
    ...(isOfMachine(error) ? ["this_machine"] : []),
    code,
    ...(code.startsWith("unknown_") ? ["unknown"] : []),
    ofStatus(status),
  ];
  return `problem.${candidates.find((name) => isWorded(`problem.${name}`)) ?? "other"}`;
}

/** The wording for codes that the dictionary does not list. */
function ofStatus(status: number): string {
  if (status === 404) return "unknown";
  if (status === 409) return "conflict";
  if (status === 413) return "too_large";
  if (status === 429) return "limit";
  if (status === 400 || status === 422) return "bad_request";
  return status >= 500 && status !== 502 && status !== 503 ? "internal" : "other";
}
