import { TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
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

/** Tells the editor's state where the caret is seen, of which it hears a moment later: a key that follows at once means that place. */
export function followCaret(view: EditorView): void {
  const seen = window.getSelection();
  if (!seen?.anchorNode || !seen.focusNode || !view.hasFocus()) return;
  if (!view.dom.contains(seen.anchorNode) || !view.dom.contains(seen.focusNode)) return;
  const anchor = view.posAtDOM(seen.anchorNode, seen.anchorOffset);
  const head = view.posAtDOM(seen.focusNode, seen.focusOffset);
  const { doc, selection, tr } = view.state;
  if (anchor === selection.anchor && head === selection.head) return;
  view.dispatch(tr.setSelection(TextSelection.between(doc.resolve(anchor), doc.resolve(head))));
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
