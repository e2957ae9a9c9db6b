import type { SpendingRow } from "../api/schema";

type Costs = SpendingRow["costs"];

/** Money in each of its currencies; nothing where none was spent or no price is known. */
export function moneyOf(costs: Costs, locale: string): string | undefined {
  const charged = costs.filter(({ micros }) => micros > 0);
  if (charged.length === 0) return undefined;
  return charged
    .map(({ currency, micros }) =>
      new Intl.NumberFormat(locale, { style: "currency", currency, maximumFractionDigits: 4 }).format(
        micros / 1_000_000,
      ),
    )
    .join(" + ");
}

/** What a row cost, as a cell of a table says it: about so much where it was estimated, at least where prices are missing. */
export function costsOf(row: Pick<SpendingRow, "costs" | "estimated" | "unpriced">, locale: string): string {
  const money = moneyOf(row.costs, locale);
  if (money === undefined) return "–";
  return `${row.estimated ? "≈ " : ""}${row.unpriced > 0 ? "≥ " : ""}${money}`;
}

/** By what bars are drawn. */
export type Measure = "money" | "tokens" | "calls" | "replayed";

/** Money if all of it is of one currency, else tokens; calls where no model says what it read. */
export function measureOf(rows: readonly SpendingRow[]): Measure {
  const spent = rows.flatMap((row) => row.costs).filter(({ micros }) => micros > 0);
  if (spent.length > 0 && new Set(spent.map(({ currency }) => currency)).size === 1) return "money";
  if (rows.some((row) => row.input + row.output > 0)) return "tokens";
  return rows.some((row) => row.calls > 0) ? "calls" : "replayed";
}

function amountOf(row: SpendingRow, measure: Measure): number {
  if (measure === "money") return row.costs.reduce((sum, { micros }) => sum + micros, 0);
  if (measure === "tokens") return row.input + row.output;
  return measure === "calls" ? row.calls : row.replayed;
}

const MOST_BARS = 12;

/** The rows that are drawn: the greatest, those without anything left out. */
export function drawn(
  rows: readonly SpendingRow[],
  measure: Measure,
): { row: SpendingRow; amount: number }[] {
  return rows
    .map((row) => ({ row, amount: amountOf(row, measure) }))
    .filter(({ amount }) => amount > 0)
    .sort((one, other) => other.amount - one.amount)
    .slice(0, MOST_BARS);
}
