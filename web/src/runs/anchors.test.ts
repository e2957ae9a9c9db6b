import { expect, it } from "vitest";
import { addressOfAnchor, anchorOfSource } from "./anchors";

it("leads from an anchor to the page of what it names", () => {
  for (const [anchor, address] of [
    ["documents/d-1/text", "/p/p-1/write/d-1"],
    ["characters/c-3/name", "/p/p-1/characters/c-3"],
    ["outline_nodes/o-13/participants", "/p/p-1/outline/o-13"],
    ["timeline_events/e-1/date", "/p/p-1/timeline"],
    ["worldview/locations/l-1", "/p/p-1/world"],
    ["premise", undefined],
  ] as const) {
    expect(addressOfAnchor("p-1", anchor)).toBe(address);
  }
  expect(addressOfAnchor("p-1", anchorOfSource({ kind: "document", id: "d-2" }))).toBe("/p/p-1/write/d-2");
});
