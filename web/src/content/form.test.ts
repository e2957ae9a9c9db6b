import { expect, test } from "vitest";
import { blankOf, formMembers, isFormable, mostOf, moved, shapeOf } from "./form";

const text = { type: "string", minLength: 1 };
const outline = {
  type: "object",
  required: ["title", "lessons"],
  properties: {
    lessons: {
      type: "array",
      minItems: 2,
      maxItems: 3,
      items: {
        type: "object",
        required: ["title", "points"],
        properties: { points: { type: "array", items: text, minItems: 1 }, title: text },
      },
    },
    title: text,
  },
};

test("the schema chooses the control; without one, the value does", () => {
  expect(shapeOf(text, undefined)).toBe("words");
  expect(shapeOf({ type: ["integer", "null"] }, null)).toBe("number");
  expect(shapeOf({ enum: ["a", "b"] }, "a")).toBe("choice");
  expect(shapeOf(null, true)).toBe("truth");
  expect(shapeOf(undefined, [1])).toBe("list");
  expect(shapeOf({ anyOf: [text] }, "a")).toBeUndefined();
});

test("a form begins with all members and as many entries as are demanded", () => {
  const lesson = { title: "", points: [""] };
  expect(blankOf(outline)).toEqual({ title: "", lessons: [lesson, lesson] });
  expect(blankOf({ type: "object", properties: { seconds: { type: "integer" } } })).toEqual({});
});

test("members stand in the order of the schema, and those it does not name are kept", () => {
  expect(formMembers(outline, { note: "x" }).map(([name]) => name)).toEqual(["title", "lessons", "note"]);
});

test("what no form can hold is said", () => {
  expect(isFormable(outline, { title: "一", lessons: [] })).toBe(true);
  expect(isFormable(outline, undefined)).toBe(true);
  expect(isFormable(null, [{ a: 1 }])).toBe(true);
  expect(isFormable({ type: "object" }, {})).toBe(false);
  expect(isFormable({ type: "array", items: { oneOf: [text] } }, [])).toBe(false);
});

test("entries are moved, and lists have an end", () => {
  expect(moved(["a", "b", "c"], 0, 2)).toEqual(["b", "c", "a"]);
  expect(moved(["a", "b", "c"], 2, 1)).toEqual(["a", "c", "b"]);
  expect(mostOf(outline.properties.lessons)).toBe(3);
  expect(mostOf(null)).toBe(Number.POSITIVE_INFINITY);
});
