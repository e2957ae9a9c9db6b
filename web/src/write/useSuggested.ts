import { useEffect, useRef } from "react";
import type { CommentRow } from "../api/schema";
import { anchorOf } from "./anchor";
import { placeOfComment } from "./comments";
import { close, open, proposalsOf } from "./proposals";
import { textOf } from "./text";
import type { Editing } from "./useEditing";

/**
 * Shows the words that people suggest among the proposals of agents, to be taken or discarded like those. `onDecided` is
 * called once a suggestion is neither.
 */
export function useSuggested(
  { editor, queue }: Editing,
  comments: readonly CommentRow[],
  onDecided: (comment: string) => void,
): void {
  const shown = useRef(new Set<string>());
  const decided = useRef(onDecided);
  decided.current = onDecided;
  useEffect(() => {
    const wanted = new Map(
      comments.flatMap((comment) =>
        comment.replacement != null && !comment.resolved ? [[comment.id, comment] as const] : [],
      ),
    );
    for (const id of [...shown.current].filter((id) => !wanted.has(id))) {
      shown.current.delete(id);
      queue.push((state) => close(state, id));
    }
    for (const [id, comment] of wanted) {
      queue.push((state) => {
        if (shown.current.has(id)) return null;
        const text = textOf(state.doc);
        const place = placeOfComment(text, comment);
        if (!place) return null;
        shown.current.add(id);
        const piece = { anchor: anchorOf(text, place.from, place.to), text: comment.replacement ?? "" };
        return open(state, id, [piece], 0);
      });
    }
  }, [comments, queue]);
  useEffect(() => {
    const look = () => {
      const left = new Set(proposalsOf(editor.state).map(({ id }) => id));
      for (const id of [...shown.current].filter((id) => !left.has(id))) {
        shown.current.delete(id);
        decided.current(id);
      }
    };
    editor.on("transaction", look);
    return () => {
      editor.off("transaction", look);
    };
  }, [editor]);
}
