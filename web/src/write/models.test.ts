import { describe, expect, it } from "vitest";
import type { Price } from "../api/schema";
import { estimateOf, priceOf, wholeOf } from "./models";
import { keep } from "./proposals";

const price = (input: number, output: number) => ({ currency: "CNY", input, output }) as Price;

describe("versions of two models", () => {
  it("are told as whole passages", () => {
    const base = "天黑了。雨停了。她走了。";
    const pieces = keep(base, [
      { from: 4, to: 8, text: "雨小了些。" },
      { from: 8, to: 12, text: "" },
    ]);
    expect(wholeOf("雨停了。她走了。", 4, pieces)).toBe("雨小了些。");
    expect(
      wholeOf(
        "",
        4,
        keep(base, [
          { from: 4, to: 4, text: "一。" },
          { from: 4, to: 4, text: "二。" },
        ]),
      ),
    ).toBe("一。二。");
  });

  it("are priced by what is expected to be read and written", () => {
    const forecast = {
      input: { least: 1, likely: 2_000, most: 9_000 },
      output: { least: 1, likely: 500, most: 900 },
    };
    expect(estimateOf(forecast, price(2, 8))).toEqual({ amount: 0.008, currency: "CNY" });
    expect(estimateOf(forecast, undefined)).toBeUndefined();
    const prices = { "deepseek/deepseek-chat": price(2, 8), "qwen-max": price(1, 1) };
    expect(priceOf("deepseek/deepseek-chat", prices)?.input).toBe(2);
    expect(priceOf("qwen/qwen-max", prices)?.input).toBe(1);
    expect(priceOf("ollama/unknown", prices)).toBeUndefined();
  });
});
