import { expect, test } from "vitest";
import type { Document, ProjectView } from "../api/story";
import { chaptersOf } from "./chapters";

test("chapters stand in reading order; what has no place in it is none", () => {
  const document = (id: string, order: number) => ({ id, order }) as Document;
  const documents = [document("d-3", 2), document("d-9", 0), document("d-2", 1), document("d-1", 2)];
  const story = { documents } as ProjectView["story"];
  expect(chaptersOf({ story }).map(({ id }) => id)).toEqual(["d-2", "d-1", "d-3"]);
});
