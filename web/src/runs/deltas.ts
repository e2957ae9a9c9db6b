/** A piece of prose that a model streams. It is painted as it comes, and superseded by what is saved. */
export type TextDelta = { project: string; agent: string; text: string; chapter: number | undefined };

/** A chapter whose prose is in the project from now on: what was streamed of it can go. */
export type Settled = { project: string; chapter: number };

/**
 * Streamed text on its way to whoever paints it, past all state: `text` with {@link TextDelta}, `settled` with
 * {@link Settled}.
 */
export const deltas = new EventTarget();

export function tellText(detail: TextDelta): void {
  deltas.dispatchEvent(new CustomEvent("text", { detail }));
}

export function tellSettled(detail: Settled): void {
  deltas.dispatchEvent(new CustomEvent("settled", { detail }));
}

/** Calls back for every piece of text until the returned function is called. */
export function onText(act: (delta: TextDelta) => void): () => void {
  const heard = (event: Event) => act((event as CustomEvent<TextDelta>).detail);
  deltas.addEventListener("text", heard);
  return () => deltas.removeEventListener("text", heard);
}
