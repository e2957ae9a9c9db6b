import { expect, test } from "vitest";
import { type Budget, budgetOf, countsFreeModels, steps } from "./budget";

const none: Budget = { tokens: "", money: "", currency: "", per_day_tokens: "", per_day_money: "" };

test("a budget is read from the settings, and what is not limited is empty", () => {
  const row = (key: string, value: unknown) => ({ key, value, layer: "user" as const, source: null });
  expect(
    budgetOf([row("budget.tokens", 5000), row("budget.currency", "CNY"), row("limits.tokens", 1)]),
  ).toEqual({
    ...none,
    tokens: "5000",
    currency: "CNY",
  });
});

test("the currency comes before money and goes after it", () => {
  const full = { ...none, money: "5.5", currency: "cny", per_day_money: "20" };
  expect(steps(none, full)).toEqual([
    { key: "budget.currency", value: "CNY" },
    { key: "budget.money", value: 5.5 },
    { key: "budget.per_day_money", value: 20 },
  ]);
  expect(steps(full, none).map(({ key }) => key)).toEqual([
    "budget.money",
    "budget.per_day_money",
    "budget.currency",
  ]);
  expect(steps(full, full)).toEqual([]);
});

test("what is no amount is left to the server to refuse", () => {
  expect(steps(none, { ...none, tokens: "many" })).toEqual([{ key: "budget.tokens", value: "many" }]);
});

test("free models count only where that is said", () => {
  const row = (value: unknown) => ({
    key: "budget.free_models",
    value,
    layer: "user" as const,
    source: null,
  });
  expect([[], [row(false)], [row(true)]].map(countsFreeModels)).toEqual([false, false, true]);
});
