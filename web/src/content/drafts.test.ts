import { beforeEach, expect, test } from "vitest";
import { draftOf, keepDraft } from "./drafts";

beforeEach(() => sessionStorage.clear());

test("what was typed is there until it is saved or given up", () => {
  expect(draftOf("p-1", "a/b")).toBeUndefined();
  keepDraft("p-1", "a/b", { typed: "雨", base: 2 });
  expect(draftOf("p-1", "a/b")).toEqual({ typed: "雨", base: 2 });
  expect(draftOf("p-1", "a/c")).toBeUndefined();
  keepDraft("p-1", "a/b", undefined);
  expect(draftOf("p-1", "a/b")).toBeUndefined();
});

test("what is no draft is none", () => {
  sessionStorage.setItem("qingyu.field.p-1.a/b", '{"typed": 3}');
  expect(draftOf("p-1", "a/b")).toBeUndefined();
  sessionStorage.setItem("qingyu.field.p-1.a/b", "{");
  expect(draftOf("p-1", "a/b")).toBeUndefined();
});
