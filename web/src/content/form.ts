import { membersOf, part, schemaOf } from "./value";

/** How a value is edited: in which kind of control. */
export type Shape = "words" | "number" | "choice" | "truth" | "list" | "record";

/** Returns the control for a value, by its schema or, without one, by the value; undefined where no form can hold it. */
export function shapeOf(schema: unknown, value: unknown): Shape | undefined {
  if (choicesOf(schema).length > 0) return "choice";
  const type = part(schema, "type");
  const types = (Array.isArray(type) ? type : [type]).filter((one) => one !== "null");
  switch (types.length === 1 ? types[0] : undefined) {
    case "string":
      return "words";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "truth";
    case "array":
      return "list";
    case "object":
      return "record";
    default:
      return ["anyOf", "oneOf", "allOf", "$ref"].some((name) => part(schema, name) !== undefined)
        ? undefined
        : shapeOfValue(value);
  }
}

function shapeOfValue(value: unknown): Shape | undefined {
  if (Array.isArray(value)) return "list";
  if (typeof value === "object" && value !== null) return "record";
  if (typeof value === "number") return "number";
  if (typeof value === "boolean") return "truth";
  return typeof value === "string" ? "words" : undefined;
}

/** Returns the values that a schema allows, if it lists them. */
export function choicesOf(schema: unknown): string[] {
  const listed = part(schema, "enum");
  return Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
}

/** Returns whether a form can hold the value with all that is in it. */
export function isFormable(schema: unknown, value: unknown): boolean {
  const shape = shapeOf(schema, value);
  if (shape === "list") {
    const entries = entriesOf(value);
    const items = itemSchemaOf(schema, entries);
    return shapeOf(items, undefined) !== undefined && entries.every((entry) => isFormable(items, entry));
  }
  if (shape === "record") {
    const members = formMembers(schema, value);
    return members.length > 0 && members.every(([, inner, part]) => isFormable(part, inner));
  }
  return shape !== undefined;
}

/** Returns the members of a record, those that the schema names and the value lacks among them: name, value, schema. */
export function formMembers(schema: unknown, value: unknown): [string, unknown, unknown][] {
  const named = Object.keys((part(schema, "properties") as object | undefined) ?? {});
  const held = typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  const all = Object.fromEntries(
    [...new Set([...named, ...Object.keys(held)])].map((name) => [name, held[name]]),
  );
  return membersOf(all, schema).map(([name, inner]) => [name, inner, schemaOf(schema, name)]);
}

export function entriesOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the schema of a list's entries; without one, a schema like the first entry. */
export function itemSchemaOf(schema: unknown, entries: readonly unknown[]): unknown {
  return schemaOf(schema) ?? schemaLike(entries[0]);
}

function schemaLike(value: unknown): unknown {
  if (Array.isArray(value)) return { type: "array", items: schemaLike(value[0]) };
  if (typeof value === "object" && value !== null) {
    const properties = Object.entries(value).map(([name, inner]) => [name, schemaLike(inner)]);
    return { type: "object", properties: Object.fromEntries(properties) };
  }
  if (typeof value === "number" || typeof value === "boolean") return { type: typeof value };
  return { type: "string" };
}

/** Returns a value to begin with: as many entries as the schema demands, and every member. */
export function blankOf(schema: unknown): unknown {
  switch (shapeOf(schema, undefined)) {
    case "list": {
      const least = part(schema, "minItems");
      return Array.from({ length: typeof least === "number" ? least : 0 }, () => blankOf(schemaOf(schema)));
    }
    case "record":
      return Object.fromEntries(formMembers(schema, {}).map(([name, , part]) => [name, blankOf(part)]));
    case "truth":
      return false;
    case "number":
      return undefined;
    default:
      return "";
  }
}

/** Returns how many entries a list may have at most. */
export function mostOf(schema: unknown): number {
  const most = part(schema, "maxItems");
  return typeof most === "number" ? most : Number.POSITIVE_INFINITY;
}

/** Returns the list with the entry at one place moved to another. */
export function moved(entries: readonly unknown[], from: number, to: number): unknown[] {
  const left = entries.filter((_, place) => place !== from);
  return [...left.slice(0, to), entries[from], ...left.slice(to)];
}
