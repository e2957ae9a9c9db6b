import { expect, test } from "vitest";
import type { SpendingRow } from "../api/schema";
import { costsOf, drawn, measureOf, moneyOf } from "./amounts";

const row = (key: string, part: Partial<SpendingRow> = {}): SpendingRow => ({
  key,
  calls: 0,
  attempts: 0,
  input: 0,
  cached: 0,
  output: 0,
  estimated: false,
  costs: [],
  unpriced: 0,
  replayed: 0,
  ...part,
});
const yuan = (micros: number) => ({ currency: "CNY", micros });
const dollars = (micros: number) => ({ currency: "USD", micros });

test("money is told in each currency, and what is not known of it", () => {
  expect(moneyOf([], "en")).toBeUndefined();
  expect(moneyOf([yuan(1_500_000), dollars(20_000)], "en")).toBe("CN¥1.50 + $0.02");
  expect(costsOf(row("a"), "en")).toBe("–");
  expect(costsOf(row("a", { costs: [dollars(1_000_000)], estimated: true, unpriced: 1 }), "en")).toBe(
    "≈ ≥ $1.00",
  );
});

test("bars show money of one currency, else tokens, else calls", () => {
  expect(measureOf([row("a", { costs: [yuan(1)] }), row("b")])).toBe("money");
  expect(measureOf([row("a", { costs: [yuan(1), dollars(1)], input: 3 })])).toBe("tokens");
  expect(measureOf([row("a", { costs: [dollars(0)], calls: 2 })])).toBe("calls");
  expect(measureOf([row("a", { replayed: 2 })])).toBe("replayed");
});

test("the greatest comes first, and what has nothing is left out", () => {
  const rows = [row("a", { calls: 1 }), row("b"), row("c", { calls: 3 })];
  expect(drawn(rows, "calls").map(({ row }) => row.key)).toEqual(["c", "a"]);
});
