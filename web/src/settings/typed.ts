/** How a setting is typed in. */
export type Kind = "switch" | "number" | "words" | "list";

/** How a value is typed in; nothing for what cannot be. */
export function kindOf(value: unknown): Kind | undefined {
  if (value === "***") return undefined;
  if (typeof value === "boolean") return "switch";
  if (typeof value === "number") return "number";
  if (typeof value === "string") return "words";
  const isPlain = (item: unknown) => typeof item === "string" || typeof item === "number";
  return Array.isArray(value) && value.every(isPlain) ? "list" : undefined;
}

/** A value as it is typed. */
export function typedOf(value: unknown): string {
  return Array.isArray(value) ? value.join("\n") : String(value ?? "");
}

/** What was typed, as the value it stands for; nothing where it is no number. */
export function readAs(typed: string, kind: Kind, before?: unknown): unknown {
  const text = typed.trim();
  switch (kind) {
    case "switch":
      return text === "true";
    case "number":
      return numberOf(text);
    case "list": {
      const items = lines(typed);
      const areNumbers =
        Array.isArray(before) && before.length > 0 && before.every((item) => typeof item === "number");
      if (!areNumbers) return items;
      const numbers = items.map(numberOf);
      return numbers.includes(undefined) ? undefined : numbers;
    }
    case "words":
      return text;
  }
}

/** What was typed for a setting of which nothing is known: a list in brackets, a number, a truth, else words. */
export function guessed(typed: string): unknown {
  const text = typed.trim();
  if (/^[[{"]/.test(text)) {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  if (text === "true" || text === "false") return text === "true";
  return numberOf(text) ?? text;
}

export function numberOf(text: string): number | undefined {
  const number = Number(text);
  return text.trim() === "" || !Number.isFinite(number) ? undefined : number;
}

/** The lines that hold something. */
export function lines(typed: string): string[] {
  return typed
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
}
