import { Problem } from "../api/problem";
import type { FailureRecord as Failure2 } from "../api/schema";

/** The setting whose limit was reached, such as `budget.run`, if that is why a run failed. */
export function limitOf({ data }: Failure2): string | undefined {
  const setting = data?.setting;
  return typeof setting === "string" ? setting : undefined;
}

/** A setting in the shape of the settings file: `budget.run` → `{ budget: { run: value } }`. */
export function overridesOf(setting: string, value: unknown): Record<string, unknown> {
  const [first = setting, ...rest] = setting.split(".");
  return { [first]: rest.length === 0 ? value : overridesOf(rest.join("."), value) };
}

/** Why a run failed, as a problem that can be worded. */
export function problemOf({ code, message }: Failure2): Problem {
  return new Problem(0, code, message);
}
