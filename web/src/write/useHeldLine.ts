import type { Editor } from "@tiptap/react";
import { useEffect } from "react";
import { distanceToHeld } from "./heldLine";

/** Keeps the line of the caret at one height while the author types or moves by keys; a mouse leaves the page where it is. */
export function useHeldLine(editor: Editor, isOn: boolean): void {
  useEffect(() => {
    if (!isOn) return undefined;
    let isPressed = false;
    let frame = 0;
    const hold = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        if (isPressed || editor.isDestroyed || !editor.view.hasFocus()) return;
        const { view } = editor;
        const scroller = view.dom.closest("[data-scroll]");
        if (!scroller || !view.state.selection.empty) return;
        const caret = view.coordsAtPos(view.state.selection.head);
        scroller.scrollBy({ top: distanceToHeld(caret, scroller.getBoundingClientRect()) });
      });
    };
    const press = () => {
      isPressed = true;
    };
    const release = () => {
      isPressed = false;
    };
    const { dom } = editor.view;
    dom.addEventListener("pointerdown", press);
    window.addEventListener("pointerup", release);
    window.addEventListener("pointercancel", release);
    editor.on("selectionUpdate", hold);
    editor.on("update", hold);
    hold();
    return () => {
      cancelAnimationFrame(frame);
      dom.removeEventListener("pointerdown", press);
      window.removeEventListener("pointerup", release);
      window.removeEventListener("pointercancel", release);
      editor.off("selectionUpdate", hold);
      editor.off("update", hold);
    };
  }, [editor, isOn]);
}
