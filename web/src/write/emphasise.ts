import { closeHistory } from "@tiptap/pm/history";
import { TextSelection } from "@tiptap/pm/state";
import { toggled } from "./emphasis";
import { positionAt, selectionIn, sliceOf, textOf } from "./text";
import type { Editing } from "./useEditing";

/** Makes the selected words bold or italic, or plain again, as one step that can be undone. */
export function emphasise({ editor, queue }: Editing, face: "bold" | "italic"): void {
  const sign = face === "bold" ? "**" : "*";
  queue.push((state) => {
    const text = textOf(state.doc);
    const selected = selectionIn(state);
    const change = toggled(text, selected.from, selected.to, sign);
    if (!change) return null;
    const [from, to] = [positionAt(text, change.from), positionAt(text, change.to)];
    const step = closeHistory(state.tr).replace(from, to, sliceOf(state.schema, change.text));
    const now = text.slice(0, change.from) + change.text + text.slice(change.to);
    const [start, end] = [positionAt(now, change.select.from), positionAt(now, change.select.to)];
    return step.setSelection(TextSelection.create(step.doc, start, end)).scrollIntoView();
  });
  queue.push((state) => closeHistory(state.tr));
  editor.commands.focus(undefined, { scrollIntoView: false });
}
