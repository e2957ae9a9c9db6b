import { isHistoryTransaction } from "@tiptap/pm/history";
import type { Transaction } from "@tiptap/pm/state";
import { useEffect, useRef } from "react";
import type { CommentRow } from "../api/schema";
import { anchorOf } from "./anchor";
import { placeOfComment } from "./comments";
import { close, open, proposalsOf, wordsAt } from "./proposals";
import { positionAt, textOf } from "./text";
import type { Editing } from "./useEditing";

/** A suggestion that was taken: where its words stand in the document, and whether they stand there still. */
type Taken = { from: number; to: number; quote: string; replacement: string; isTaken: boolean };

/**
 * Shows the words that people suggest among the proposals of agents, to be taken or discarded like those. `onDecided` is
 * called once a suggestion is neither, and `onReopened` once a taken one is undone.
 */
export function useSuggested(
  { editor, queue }: Editing,
  comments: readonly CommentRow[],
  onDecided: (comment: string) => void,
  onReopened: (comment: string) => void,
): void {
  /** The suggestions in the text, with their places. */
  const shown = useRef(new Map<string, Taken>());
  const taken = useRef(new Map<string, Taken>());
  const told = useRef({ onDecided, onReopened });
  told.current = { onDecided, onReopened };
  useEffect(() => {
    const wanted = new Map(
      comments.flatMap((comment) =>
        comment.replacement != null && !comment.resolved ? [[comment.id, comment] as const] : [],
      ),
    );
    for (const id of [...shown.current.keys()].filter((id) => !wanted.has(id))) {
      shown.current.delete(id);
      queue.push((state) => close(state, id));
    }
    for (const [id, comment] of wanted) {
      queue.push((state) => {
        if (shown.current.has(id)) return null;
        const text = textOf(state.doc);
        const place = placeOfComment(text, comment);
        if (!place) return null;
        const replacement = comment.replacement ?? "";
        const [from, to] = [positionAt(text, place.from), positionAt(text, place.to)];
        shown.current.set(id, { from, to, quote: comment.quote, replacement, isTaken: false });
        const piece = { anchor: anchorOf(text, place.from, place.to), text: replacement };
        return open(state, id, [piece], 0);
      });
    }
  }, [comments, queue]);
  useEffect(() => {
    const look = ({ transaction }: { transaction: Transaction }) => {
      for (const [id, one] of taken.current) {
        const now = moved(one, transaction);
        taken.current.set(id, now);
        if (now.isTaken === one.isTaken) continue;
        if (now.isTaken) told.current.onDecided(id);
        else told.current.onReopened(id);
      }
      const left = new Map(proposalsOf(editor.state).map((proposal) => [proposal.id, proposal]));
      for (const [id, one] of shown.current) {
        const piece = left.get(id)?.pieces[0];
        if (piece) {
          shown.current.set(id, { ...one, from: piece.from, to: piece.to });
          continue;
        }
        shown.current.delete(id);
        // Discarding a suggestion leaves the text as it is.
        if (transaction.docChanged) {
          const { mapping } = transaction;
          const [from, to] = [mapping.map(one.from, -1), mapping.map(one.to, 1)];
          taken.current.set(id, { ...one, from, to, isTaken: true });
        }
        told.current.onDecided(id);
      }
    };
    editor.on("transaction", look);
    return () => {
      editor.off("transaction", look);
    };
  }, [editor]);
}

/** Returns a taken suggestion after a transaction: an undone one has its former words again, a redone one the suggested ones. */
function moved(one: Taken, transaction: Transaction): Taken {
  if (!transaction.docChanged) return one;
  const { mapping, doc } = transaction;
  const isHistory = isHistoryTransaction(transaction);
  // The words that an undo puts back belong to the place; those that are typed at its ends do not.
  const from = mapping.map(one.from, isHistory ? -1 : 1);
  const to = Math.max(from, mapping.map(one.to, isHistory ? 1 : -1));
  const place = { ...one, from, to };
  if (!isHistory) return place;
  const words = wordsAt(doc, place);
  if (words === one.quote) return { ...place, isTaken: false };
  return words === one.replacement ? { ...place, isTaken: true } : place;
}
