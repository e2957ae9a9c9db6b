import type { SettingRow } from "../api/schema";

/** The settings whose key, value or source holds all of the words. */
export function matching(rows: readonly SettingRow[], typed: string): SettingRow[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  return rows.filter(({ key, value, source }) => {
    const text = `${key} ${shownValue(value)} ${source ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** A value as it would stand in a file of settings. */
export function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "[]" : value.map(shownValue).join(", ");
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return value === "" ? '""' : String(value);
}

/** The servers of foreign tools that the settings name, with what is said of each. */
export function mcpServers(
  rows: readonly SettingRow[],
): { name: string; rows: { key: string; value: string }[] }[] {
  const servers = new Map<string, { key: string; value: string }[]>();
  for (const { key, value } of rows) {
    const [table, name, ...rest] = key.split(".");
    if (table !== "mcp_servers" || name === undefined) continue;
    const said = { key: rest.join("."), value: shownValue(value) };
    servers.set(name, [...(servers.get(name) ?? []), said]);
  }
  return [...servers].map(([name, rows]) => ({ name, rows }));
}
