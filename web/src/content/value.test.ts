import { expect, test } from "vitest";
import { isText, membersOf, readTyped, schemaOf, typedOf } from "./value";

test("the schema says whether a field is text; without one, the value", () => {
  expect(isText({ type: "string", minLength: 1 }, null)).toBe(true);
  expect(isText({ type: "object" }, "a")).toBe(false);
  expect(isText(null, "a")).toBe(true);
  expect(isText(null, ["a"])).toBe(false);
});

test("text is typed as it is, the rest as JSON", () => {
  expect(typedOf("定价", true)).toBe("定价");
  expect(typedOf({ a: 1 }, false)).toBe('{\n  "a": 1\n}');
  expect(typedOf("a", false)).toBe('"a"');
  expect(typedOf(null, false)).toBe("");
});

test("what was typed is read, unless it is no JSON", () => {
  expect(readTyped("[1]")).toEqual({ value: [1] });
  expect(readTyped("[1")).toBeUndefined();
});

test("members stand as the schema demands them, else what names the thing comes first", () => {
  const lesson = { exercise: "写", goal: "会", title: "一" };
  const names = (schema: unknown) => membersOf(lesson, schema).map(([name]) => name);
  expect(names({ required: ["title", "goal", "exercise"] })).toEqual(["title", "goal", "exercise"]);
  expect(names(null)).toEqual(["title", "exercise", "goal"]);
  const schema = { properties: { lessons: { items: { required: ["title"] } } } };
  expect(schemaOf(schemaOf(schema, "lessons"))).toEqual({ required: ["title"] });
  expect(schemaOf(undefined, "lessons")).toBeUndefined();
});
