import { TextSelection } from "@tiptap/pm/state";
import type { EditorView } from "@tiptap/pm/view";
import { meantPiece, piecesOf } from "./proposals";
import { activate, meant, nextTo, suggestionsOf } from "./suggestions";
import type { Editing } from "./useEditing";
import type { Proposing } from "./useProposals";

/** What a key says to the editor, beside typing. */
export type Said =
  | "accept"
  | "refuse"
  | "next"
  | "previous"
  | "save"
  | "who"
  | "commands"
  | "continue"
  | "comment"
  | "bold"
  | "italic"
  | undefined;

export function keyOf({ altKey, ctrlKey, metaKey, shiftKey, key, code }: KeyboardEvent): Said {
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "s") return "save";
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key === "Enter") return "continue";
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "b") return "bold";
  if ((ctrlKey || metaKey) && !altKey && !shiftKey && key.toLowerCase() === "i") return "italic";
  if ((ctrlKey || metaKey) && altKey && !shiftKey && code === "KeyM") return "comment";
  if (!altKey || ctrlKey || metaKey || shiftKey) return undefined;
  if (key === "Enter") return "accept";
  if (key === "Backspace") return "refuse";
  // Alt makes another letter of these on some keyboards; the key is the same.
  if (code === "Slash") return "who";
  if (code === "KeyJ") return "commands";
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

/** Moves among proposals or suggestions and decides them; among findings where there are none. */
export function suggestionKeys(
  editing: Editing,
  proposing: Proposing,
  stepFinding: (step: 1 | -1) => boolean,
): (said: Said) => boolean {
  const { editor } = editing;
  return (said) => {
    if (said !== "accept" && said !== "refuse" && said !== "next" && said !== "previous") return false;
    if (piecesOf(editor.state).length > 0) {
      if (said === "next" || said === "previous") return proposing.step(said === "next" ? 1 : -1);
      const piece = meantPiece(editor.state);
      // Words that have changed are only replaced where the author sees both.
      if (piece && (piece.stands || said === "refuse")) proposing.decide([piece.id], said === "accept");
      return true;
    }
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
