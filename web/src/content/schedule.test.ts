import { expect, it } from "vitest";
import type { Order } from "../api/schema";
import { choices, orderFor, taskOf } from "./schedule";

it("offers an interval that was set elsewhere beside the usual ones", () => {
  expect(choices(undefined)).toEqual(["1d", "1w", "4w"]);
  expect(choices("1w")).toEqual(["1d", "1w", "4w"]);
  expect(choices("12h")).toEqual(["1d", "1w", "4w", "12h"]);
});

it("reads the task of an order, and gives the same order for it", () => {
  const orders: (Order | null)[] = [
    null,
    { do: "make_stale" },
    { do: "say", text: "写这一周的" },
    { do: "advance" },
  ];
  expect(orders.map(taskOf)).toEqual(["next", "stale", "say", "other"]);
  for (const order of orders) {
    const words = order?.do === "say" ? order.text : "";
    expect(orderFor(taskOf(order), words, order)).toEqual(order);
  }
  expect(orderFor("say", "  ", { do: "advance" })).toBe(null);
});
