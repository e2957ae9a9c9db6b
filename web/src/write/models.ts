import type { Forecast, Price } from "../api/schema";
import { applied } from "./compare";
import type { KeptPiece } from "./proposals";

/** A version of an answer: which model wrote it, and the words as a whole. */
export type VersionInfo = { model: string | undefined; whole: string };

/** Returns the words that a version puts into the place of an order, which began at `start` of the text. */
export function wholeOf(words: string, start: number, pieces: readonly KeptPiece[]): string {
  const changes = pieces.map(({ anchor, text }) => ({
    from: anchor.at - start,
    to: anchor.at - start + anchor.quote.length,
    text,
  }));
  return applied(words, changes);
}

/** The expected cost of an answer. */
export type Estimate = { amount: number; currency: string };

/** Returns what a model would charge for the tokens that are expected of an order. */
export function estimateOf(
  forecast: Pick<Forecast, "input" | "output">,
  price: Price | undefined,
): Estimate | undefined {
  if (!price) return undefined;
  const amount = (forecast.input.likely * price.input + forecast.output.likely * price.output) / 1_000_000;
  return { amount, currency: price.currency };
}

/** Returns the price of a model by its full name, or by the name that the provider gives it. */
export function priceOf(model: string, prices: Readonly<Record<string, Price>>): Price | undefined {
  return prices[model] ?? prices[model.slice(model.indexOf("/") + 1)];
}
