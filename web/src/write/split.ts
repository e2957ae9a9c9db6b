import { create } from "zustand";

/** The content beside a chapter: another chapter, the outline, or a card. */
export type Beside = { kind: "outline" } | { kind: "chapter" | "piece"; id: string };

type Split = {
  /** The content beside the text, by book; `undefined` if the text has the page to itself. */
  shown: Readonly<Record<string, Beside | undefined>>;
  show(project: string, beside: Beside | undefined): void;
};

/** The split of the writing page; it stays while one goes from chapter to chapter. */
export const useSplit = create<Split>((set) => ({
  shown: {},
  show: (project, beside) => set(({ shown }) => ({ shown: { ...shown, [project]: beside } })),
}));

/** Writes what stands beside as the value of a list, and reads it again. */
export function keyOfBeside(beside: Beside): string {
  return beside.kind === "outline" ? "outline" : `${beside.kind}:${beside.id}`;
}

export function besideOf(value: string): Beside | undefined {
  const [kind, ...rest] = value.split(":");
  const id = rest.join(":");
  if (kind === "outline") return { kind };
  return (kind === "chapter" || kind === "piece") && id !== "" ? { kind, id } : undefined;
}
