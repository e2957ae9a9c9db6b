/** A parameter of a tool. */
export type Parameter = { name: string; type: string; isRequired: boolean; about: string };

type Members = Record<string, unknown>;

const members = (value: unknown): Members =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Members) : {};
const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** What a JSON Schema of an object says of its members, those that must be there first. */
export function parametersOf(schema: unknown): Parameter[] {
  const { properties, required } = members(schema);
  const wanted = new Set(list(required));
  return Object.entries(members(properties))
    .map(([name, property]) => ({
      name,
      type: typeOf(property),
      isRequired: wanted.has(name),
      about: textOf(members(property).description),
    }))
    .sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

/** The type of a value in a word or two; its values where there are only some. */
export function typeOf(schema: unknown): string {
  const { type, enum: values, const: value, anyOf, oneOf, items } = members(schema);
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values))
    return values
      .filter((entry) => entry !== null)
      .map(String)
      .join(" | ");
  const choices = [...list(anyOf), ...list(oneOf)];
  if (choices.length > 0) {
    return [...new Set(choices.map(typeOf))].filter((choice) => choice !== "null").join(" | ");
  }
  const all = Array.isArray(type) ? type : [type];
  const types = all.filter((name) => typeof name === "string" && name !== "null");
  if (types.length === 0) return all.includes("null") ? "null" : "any";
  return types.map((name) => (name === "array" && items ? `${typeOf(items)}[]` : String(name))).join(" | ");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.replace(/\s+/g, " ") : "";
}
