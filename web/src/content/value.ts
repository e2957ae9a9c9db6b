/** Whether a field's value is text, as the server decides it: by its schema. */
export function isText(schema: unknown, value: unknown): boolean {
  if (typeof schema === "object" && schema !== null && "type" in schema) return schema.type === "string";
  return value === null || value === undefined || typeof value === "string";
}

/** The value as it is typed: text as it is, everything else as JSON. */
export function typedOf(value: unknown, isPlain: boolean): string {
  if (value === null || value === undefined) return "";
  return isPlain && typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

/** Returns the value that was typed as JSON, wrapped so that `null` can be told from words that cannot be read. */
export function readTyped(typed: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(typed) };
  } catch {
    return undefined;
  }
}

/** Whether a value is one line: it then stands beside its name. */
export function isShort(value: unknown): boolean {
  return typeof value !== "object" || value === null;
}

/** What comes first of a thing when nothing says in which order it is told. */
const FIRST = ["title", "name", "headline", "subject", "question"];

/** The members of a value in the order in which its schema demands them. */
export function membersOf(value: object, schema: unknown): [string, unknown][] {
  const wanted = part(schema, "required");
  const order = Array.isArray(wanted) && wanted.length > 0 ? wanted : FIRST;
  const rank = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(value).sort(([one], [other]) => rank(one) - rank(other));
}

/** The schema of a member, or of the entries of a list. */
export function schemaOf(schema: unknown, member?: string): unknown {
  return member === undefined ? part(schema, "items") : part(part(schema, "properties"), member);
}

/** The member of a value, if it is a record and has one of that name. */
export function part(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
