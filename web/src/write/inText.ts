import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import type { Mapping } from "@tiptap/pm/transform";
import styles from "./Prose.module.css";
import { sliceOf } from "./text";

/** A place of the document at which a change is offered: what suggestions and proposals have in common. */
type Place = { from: number; to: number };
type Offer = Place & { id: number };

/** Puts a text into a place, instead of what stands there. */
export function put(step: Transaction, { from, to }: Place, text: string): void {
  if (text === "") step.delete(from, to);
  else step.replace(from, to, sliceOf(step.doc.type.schema, text));
}

/** Returns where an edit moves a place; what is typed at its ends stays outside. */
export function follow({ from, to }: Place, mapping: Mapping): Place {
  const start = mapping.map(from, 1);
  return { from: start, to: Math.max(start, mapping.map(to, -1)) };
}

/** Returns the offer that a key means: the one that is looked at, else the one at the caret or after it, else the last. */
export function meantOf<One extends Offer>(
  offers: readonly One[],
  active: number | undefined,
  caret: number,
): One | undefined {
  return offers.find(({ id }) => id === active) ?? offers.find(({ to }) => to >= caret) ?? offers.at(-1);
}

/**
 * Returns the offer after the one that is looked at, or before it if `step` is -1; from the caret if none is looked at,
 * and from the other end where there is no further one.
 */
export function nextOf<One extends Offer>(
  offers: readonly One[],
  active: number | undefined,
  caret: number,
  step: 1 | -1,
): One | undefined {
  const current = offers.findIndex(({ id }) => id === active);
  if (current !== -1) return offers[(current + step + offers.length) % offers.length];
  if (step === 1) return offers.find(({ to }) => to >= caret) ?? offers[0];
  return offers.findLast(({ from }) => from < caret) ?? offers.at(-1);
}

/** Returns where an offer is decided: one that ends with a line at that line's end, not at the beginning of the next. */
export function choicesAt(document: Node, { from, to }: Place): number {
  const lineEnd = to - 2;
  return lineEnd > from && document.resolve(to).parentOffset === 0 ? lineEnd : to;
}

/** The text that an offer would put there. */
export function inserted(text: string): HTMLElement {
  const made = document.createElement("ins");
  made.className = styles.added ?? "";
  made.textContent = text.replace(/\n/g, "¶\n").replace(/\n$/, "");
  return made;
}

/** A button that decides an offer; `text` is what the offer would put there. */
export function choice(sign: string, label: string, text: string, act: () => void): HTMLElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = sign;
  button.title = label;
  button.setAttribute("aria-label", `${label}: ${text.trim()}`);
  // The caret stays where it is.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", act);
  return button;
}
