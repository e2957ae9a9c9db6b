import type { SettingRow } from "../api/schema";
import type { Step } from "./changes";
import { numberOf } from "./typed";

/** What can be limited, in the order in which it is asked for. */
export const limits = ["tokens", "money", "currency", "per_day_tokens", "per_day_money"] as const;
export type Limit = (typeof limits)[number];
export type Budget = Record<Limit, string>;

/** The budget as it is typed: what is not limited is empty. */
export function budgetOf(rows: readonly SettingRow[]): Budget {
  const said = (limit: Limit) => rows.find((row) => row.key === `budget.${limit}`)?.value ?? "";
  return Object.fromEntries(limits.map((limit) => [limit, String(said(limit))])) as Budget;
}

/** Whether the limits on tokens hold for models that cost nothing. */
export function countsFreeModels(rows: readonly SettingRow[]): boolean {
  return rows.some((row) => row.key === "budget.free_models" && row.value === true);
}

/**
 * What has to be written for a budget to become another. Money needs a currency beside it: that comes before it, and goes
 * after it.
 */
export function steps(before: Budget, now: Budget): Step[] {
  const changed = limits.filter((limit) => before[limit].trim() !== now[limit].trim());
  const gone = changed.filter((limit) => now[limit].trim() === "");
  const rank = (limit: Limit) => (limit === "currency" ? 0 : 1);
  const kept = changed
    .filter((limit) => !gone.includes(limit))
    .sort((one, other) => rank(one) - rank(other))
    .map((limit) => ({ key: `budget.${limit}`, value: amountOf(limit, now[limit]) }));
  const taken = gone
    .sort((one, other) => rank(other) - rank(one))
    .map((limit) => ({ key: `budget.${limit}` }));
  return [...kept, ...taken];
}

/** An amount as a number; what is none is sent as it is, and refused with its name. */
function amountOf(limit: Limit, typed: string): unknown {
  const text = typed.trim();
  return limit === "currency" ? text.toUpperCase() : (numberOf(text) ?? text);
}
