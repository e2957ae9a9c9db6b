import { expect, it } from "vitest";
import { sittings } from "./versions";

const row = (version: number, agent: string, minute: number) => ({
  version,
  agent,
  at: new Date(minute * 60_000).toISOString(),
  change: version,
  length: 0,
});

it("tells one version of a sitting, and each of another hand", () => {
  const all = [
    row(1, "writer_agent", 0),
    row(2, "person", 1),
    row(3, "person", 2),
    row(4, "writer_agent", 3),
    row(5, "person", 4),
    row(6, "person", 30),
    row(7, "person", 31),
  ];
  expect(sittings(all).map(({ version }) => version)).toEqual([7, 5, 4, 3, 1]);
});

it("keeps the first version though more followed at once", () => {
  expect(sittings([row(1, "person", 0), row(2, "person", 1)]).map(({ version }) => version)).toEqual([2, 1]);
});
