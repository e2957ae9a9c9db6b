/** What is typed into a form about a piece: a line, a text, a number, words side by side, one of a few, or several. */
export type FieldKind = "line" | "text" | "number" | "words" | "choice" | "many";

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
  step?: number;
  most?: number;
};

export type Typed = Record<string, string | string[]>;
export type Data = Record<string, unknown>;

const BETWEEN = /[,\uff0c\u3001;\uff1b\n]/;

/** What stands in the fields for a piece. */
export function typedOf(fields: readonly FieldSpec[], piece: Data): Typed {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const value = piece[name];
      const list = Array.isArray(value) ? value.map(String) : [];
      if (kind === "many") return [name, list];
      if (kind === "words") return [name, list.join(", ")];
      return [name, value === null || value === undefined ? "" : String(value)];
    }),
  );
}

/** The data that a field's words mean. */
export function meant({ kind, isOptional }: FieldSpec, typed: string | string[]): unknown {
  if (Array.isArray(typed)) return typed;
  const words = typed.trim();
  if (kind === "words")
    return words
      .split(BETWEEN)
      .map((word) => word.trim())
      .filter((word) => word !== "");
  if (kind === "number") return words === "" || !Number.isFinite(Number(words)) ? null : Number(words);
  return words === "" && isOptional ? null : words;
}

/** Only what was changed, as data. */
export function changesOf(fields: readonly FieldSpec[], piece: Data, typed: Typed): Data {
  const before = typedOf(fields, piece);
  return Object.fromEntries(
    fields
      .map((field) => {
        const now = meant(field, typed[field.name] ?? "");
        const then = meant(field, before[field.name] ?? "");
        return [field.name, now, JSON.stringify(now) !== JSON.stringify(then)] as const;
      })
      .filter(([, , isChanged]) => isChanged)
      .map(([name, now]) => [name, now]),
  );
}
