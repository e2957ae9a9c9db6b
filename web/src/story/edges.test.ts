import { describe, expect, it } from "vitest";
import { between, PERSON } from "./edges";
import { disorder } from "./layout";

describe("the lines of the graph", () => {
  it("end at the borders of those they join", () => {
    const { from, to, middle } = between({ x: 0, y: 0 }, { x: 400, y: 0 });
    expect([from.x, to.x, middle.x]).toEqual([PERSON.width / 2 + 4, 400 - PERSON.width / 2 - 4, 200]);
    expect(between({ x: 0, y: 0 }, { x: 0, y: 200 }).from.y).toBe(PERSON.height / 2 + 4);
    expect(between({ x: 1, y: 1 }, { x: 1, y: 1 }).from).toEqual({ x: 1, y: 1 });
  });

  it("cross, or run behind somebody, or neither", () => {
    const places = new Map(
      Object.entries({ a: { x: 0, y: 0 }, b: { x: 400, y: 400 }, c: { x: 400, y: 0 }, d: { x: 0, y: 400 } }),
    );
    const tie = (from: string, to: string) => ({ from, to, strength: 1 });
    expect(disorder(places, [tie("a", "b"), tie("c", "d")])).toBe(1);
    expect(disorder(places, [tie("a", "c"), tie("b", "d")])).toBe(0);
    places.set("e", { x: 200, y: 0 });
    expect(disorder(places, [tie("a", "c")])).toBe(2);
  });
});
