import { expect, test } from "vitest";
import { parametersOf, typeOf } from "./parameters";

test("what must be given comes first", () => {
  const schema = {
    properties: {
      limit: { type: ["integer", "null"], description: "How many\nat most." },
      text: { type: "string" },
    },
    required: ["text"],
  };
  expect(parametersOf(schema)).toEqual([
    { name: "text", type: "string", isRequired: true, about: "" },
    { name: "limit", type: "integer", isRequired: false, about: "How many at most." },
  ]);
  expect(parametersOf(true)).toEqual([]);
});

test("types are told in a word, choices by their values", () => {
  expect(typeOf({ enum: ["create", "get", null] })).toBe("create | get");
  expect(typeOf({ anyOf: [{ const: "a" }, { type: "null" }] })).toBe('"a"');
  expect(typeOf({ type: "array", items: { type: "string" } })).toBe("string[]");
  expect(typeOf({})).toBe("any");
});
