import { describe, expect, it } from "vitest";
import { at, groupsOf, placeAt, placesOf } from "./places";

describe("the menu", () => {
  it("has each page of a book in one group", () => {
    expect(groupsOf(false).map(({ name }) => name)).toEqual(["write", "story", "check", "machine"]);
    const places = placesOf(false);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toContain("overview");
    expect(places).toContain("settings");
  });

  it("tells the page from the address", () => {
    expect(placeAt("p-1", at.project("p-1"))).toBe("overview");
    expect(placeAt("p-1", at.character("p-1", "c-1"))).toBe("characters");
    expect(placeAt("p-1", at.field("p-1", "intent/goal"))).toBe("content");
    expect(placeAt("p-1", "/inbox")).toBeUndefined();
    expect(placeAt("p-1", "/p/p-10/write")).toBeUndefined();
  });
});
