import { activate, meant, nextTo, suggestionsOf } from "./suggestions";
import type { Editing } from "./useEditing";

/** What a key says to the editor, beside typing. */
export type Said = "accept" | "refuse" | "next" | "previous" | "save" | "who" | undefined;

export function keyOf({ altKey, ctrlKey, metaKey, shiftKey, key, code }: KeyboardEvent): Said {
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "s") return "save";
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (key === "Enter") return "accept";
  if (key === "Backspace") return "refuse";
  // Alt makes another letter of these on some keyboards; the key is the same.
  if (code === "Slash") return "who";
  if (code === "BracketRight") return "next";
  if (code === "BracketLeft") return "previous";
  return undefined;
}

/** Moves among suggestions and decides them; among findings where there are no suggestions. */
export function suggestionKeys(
  editing: Editing,
  stepFinding: (step: 1 | -1) => boolean,
): (said: Said) => boolean {
  const { editor } = editing;
  return (said) => {
    if (said === undefined || said === "save" || said === "who") return false;
    const has = suggestionsOf(editor.state).items.length > 0;
    if (said === "next" || said === "previous") {
      const step = said === "next" ? 1 : -1;
      return has ? look(editing, step) : stepFinding(step);
    }
    const chosen = has ? meant(editor.state) : undefined;
    if (!chosen) return false;
    editing.decide([chosen.id], said === "accept");
    return true;
  };
}

/** Goes to the next suggestion, or the one before, and brings it into sight. */
export function look({ editor, queue }: Editing, step: 1 | -1): boolean {
  const chosen = nextTo(editor.state, step);
  if (!chosen) return false;
  queue.push((state) => activate(state, chosen.id));
  queue.whenStill(() => {
    const seen = editor.view.dom.querySelector(`[data-suggestion="${chosen.id}"]`);
    seen?.scrollIntoView({ block: "center", behavior: "smooth" });
  });
  return true;
}
