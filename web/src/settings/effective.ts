import type { SettingRow } from "../api/schema";
import { holding } from "./parts/holding";

/** The settings whose key, value or source holds all of the words. */
export function matching(rows: readonly SettingRow[], typed: string): SettingRow[] {
  const isFound = holding(typed);
  return rows.filter(({ key, value, source }) => isFound(`${key} ${shownValue(value)} ${source ?? ""}`));
}

/** A value as it would stand in a file of settings. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : value.map(shownValue).join(", ");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return value === "" ? '""' : String(value);
}
