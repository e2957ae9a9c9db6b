/**
 * What is typed into a form about a piece: a line, a text, a number, words side by side, one of a few, several, yes or no,
 * or rows with fields of their own.
 */
export type FieldKind = "line" | "text" | "number" | "words" | "choice" | "many" | "check" | "rows";

/** A field of a form. */
export type FieldSpec = {
  name: string;
  label: string;
  kind: FieldKind;
  /** What can be chosen, with the words for it. */
  choices?: readonly (readonly [string, string])[];
  /** Whether empty means none instead of an empty text. */
  isOptional?: boolean;
  isRequired?: boolean;
  /** Whether no number means 0 instead of none. */
  isCount?: boolean;
  step?: number;
  /** The greatest number, or the most rows. */
  most?: number;
  /** The most characters of a line. */
  length?: number;
  /** The fields of a row; the first must be filled in for the row to count. */
  columns?: readonly FieldSpec[];
};

export type TypedValue = string | string[] | Typed[];
export type Typed = { [name: string]: TypedValue };
export type Data = Record<string, unknown>;

const BETWEEN = /[,\uff0c\u3001;\uff1b\n]/;

/** What stands in the fields for a piece. */
export function typedOf(fields: readonly FieldSpec[], piece: Data): Typed {
  return Object.fromEntries(
    fields.map(({ name, kind, columns = [] }) => {
      const value = piece[name];
      if (kind === "rows") {
        return [name, Array.isArray(value) ? value.map((row) => typedOf(columns, row as Data)) : []];
      }
      if (kind === "check") return [name, value === true ? "true" : ""];
      const list = Array.isArray(value) ? value.map(String) : [];
      if (kind === "many") return [name, list];
      if (kind === "words") return [name, list.join(", ")];
      return [name, value === null || value === undefined ? "" : String(value)];
    }),
  );
}

/** What stands in a field to which nothing is known yet. */
export function blank({ kind }: FieldSpec): TypedValue {
  return kind === "many" || kind === "rows" ? [] : "";
}

/** A list of texts, or none. */
export function textsOf(value: TypedValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** A list of rows, or none. */
export function rowsOf(value: TypedValue | undefined): Typed[] {
  return Array.isArray(value) ? value.filter((each) => typeof each !== "string") : [];
}

/** The data that a field's words mean. */
export function meant(field: FieldSpec, typed: TypedValue): unknown {
  const { kind, isOptional, isCount } = field;
  if (kind === "rows") return rowsOf(typed).flatMap((row) => meantRow(field, row));
  if (Array.isArray(typed)) return textsOf(typed);
  if (kind === "check") return typed === "true";
  const words = typed.trim();
  if (kind === "words")
    return words
      .split(BETWEEN)
      .map((word) => word.trim())
      .filter((word) => word !== "");
  if (kind === "number") {
    const none = isCount ? 0 : null;
    return words === "" || !Number.isFinite(Number(words)) ? none : Number(words);
  }
  return words === "" && isOptional ? null : words;
}

/** The data of a row; none if its first field is empty. */
function meantRow({ columns = [] }: FieldSpec, row: Typed): Data[] {
  const first = columns[0]?.name ?? "";
  if (String(row[first] ?? "").trim() === "") return [];
  const cells = columns.map((column) => [column.name, meant(column, row[column.name] ?? blank(column))]);
  return [Object.fromEntries(cells)];
}

/** Only what was changed, as data. */
export function changesOf(fields: readonly FieldSpec[], piece: Data, typed: Typed): Data {
  const before = typedOf(fields, piece);
  return Object.fromEntries(
    fields
      .map((field) => {
        const now = meant(field, typed[field.name] ?? blank(field));
        const then = meant(field, before[field.name] ?? blank(field));
        return [field.name, now, JSON.stringify(now) !== JSON.stringify(then)] as const;
      })
      .filter(([, , isChanged]) => isChanged)
      .map(([name, now]) => [name, now]),
  );
}
