import { closeHistory } from "@tiptap/pm/history";
import type { EditorState } from "@tiptap/pm/state";
import type { Editor } from "@tiptap/react";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { Book } from "../story/book";
import { pressInList } from "./listKeys";
import { type Begun, begunIn, fitting, nameFinder, type Reference, referencesOf } from "./references";
import type { Editing } from "./useEditing";

/** A place on the screen beside the words concerned: below them, or above if there is no room. */
export type Beside = { left: number; top: number; isAbove: boolean };

export type Referencing = {
  id: string;
  /** The candidates for the reference being typed; empty if no reference is being typed. */
  found: readonly Reference[];
  active: number;
  place: Beside | undefined;
  pick(reference: Reference): void;
  /** Whether the key was meant for the list. */
  press(event: KeyboardEvent): boolean;
  /** Returns the name at the caret or in the selection, with its place on the screen. */
  atCaret(): { reference: Reference; place: Beside } | undefined;
  /** Returns the name at a position of the document, with its range. */
  nameAt(position: number): NameInText | undefined;
};

/** A name that stands in the text. */
export type NameInText = { reference: Reference; from: number; to: number };

type Held = Begun & { place: Beside };

/** References with @ while one writes, and the names that stand in the text already. */
export function useReferences({ editor, queue }: Editing, book: Book): Referencing {
  const id = useId();
  const [held, hold] = useState<Held>();
  const [active, setActive] = useState(0);
  const refused = useRef<number | undefined>(undefined);
  const references = useMemo(() => referencesOf(book), [book]);
  const finder = useMemo(() => nameFinder(references), [references]);
  const found = useMemo(() => (held ? fitting(references, held.word) : []), [references, held]);

  useEffect(() => {
    if (editor.isDestroyed) return;
    let isAsked = false;
    const look = () => {
      isAsked = false;
      if (editor.isDestroyed) return;
      const begun = begunAt(editor.state);
      if (begun?.from !== refused.current) refused.current = undefined;
      const isShown = begun && refused.current === undefined && editor.isFocused;
      hold(isShown ? { ...begun, place: placeOf(editor, begun.from) } : undefined);
    };
    // Never while a word is being composed: what stands there then is no word yet.
    const later = () => {
      if (isAsked) return;
      isAsked = true;
      queue.whenStill(look);
    };
    const leave = () => hold(undefined);
    const changed = ({ transaction }: { transaction: { docChanged: boolean; selectionSet: boolean } }) => {
      if (transaction.docChanged || transaction.selectionSet) later();
    };
    const scroller = editor.view.dom.closest("[data-scroll]");
    editor.on("transaction", changed);
    editor.on("blur", leave);
    scroller?.addEventListener("scroll", later, { passive: true });
    return () => {
      editor.off("transaction", changed);
      editor.off("blur", leave);
      scroller?.removeEventListener("scroll", later);
    };
  }, [editor, queue]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another word begins at the top of its list
  useEffect(() => setActive(0), [held?.from, held?.word]);
  useNamed(editor, id, found.length > 0 ? active : undefined);

  const pick = (reference: Reference) => {
    hold(undefined);
    queue.push((state) => {
      const begun = begunAt(state);
      if (!begun) return null;
      return closeHistory(state.tr).insertText(reference.name, begun.from, state.selection.from);
    });
    // The next words typed are a step of their own.
    queue.push((state) => closeHistory(state.tr));
  };
  const refuse = () => {
    refused.current = held?.from;
    hold(undefined);
  };
  const press = (event: KeyboardEvent) =>
    pressInList(event, { entries: found, active, setActive, pick, refuse });
  const atCaret = () => {
    const { $from, $to, empty } = editor.state.selection;
    if (editor.view.composing || !$from.sameParent($to)) return undefined;
    const line = $from.parent.textContent;
    const name = finder(line, $from.parentOffset);
    // A selection must be the name, a caret may stand anywhere in it.
    if (!name || (!empty && line.slice($from.parentOffset, $to.parentOffset).trim() !== name.name))
      return undefined;
    return { reference: name, place: placeOf(editor, $from.start() + name.from) };
  };
  const nameAt = (position: number) => {
    const at = editor.state.doc.resolve(position);
    const name = finder(at.parent.textContent, at.parentOffset);
    return name && { reference: name, from: at.start() + name.from, to: at.start() + name.to };
  };
  return { id, found, active, place: held?.place, pick, press, atCaret, nameAt };
}

/** The reference before the caret, by its place in the document. */
function begunAt({ selection }: EditorState): Begun | undefined {
  const { $from, empty } = selection;
  if (!empty) return undefined;
  const begun = begunIn($from.parent.textBetween(0, $from.parentOffset));
  return begun && { ...begun, from: $from.start() + begun.from };
}

const ROOM = 320;

/** Returns a place on the screen beside a position of the document. */
export function placeOf({ view }: Editor, position: number): Beside {
  const { left, top, bottom } = view.coordsAtPos(position);
  const isAbove = bottom + ROOM > window.innerHeight && top > ROOM;
  return { left: Math.max(8, Math.min(left, window.innerWidth - 360)), top: isAbove ? top : bottom, isAbove };
}

/** The editor has the focus, and names the active one of the list. */
export function useNamed({ view, isDestroyed }: Editor, id: string, active: number | undefined): void {
  useEffect(() => {
    if (isDestroyed || active === undefined) return;
    const { dom } = view;
    const told = {
      "aria-haspopup": "listbox",
      "aria-autocomplete": "list",
      "aria-controls": id,
      "aria-activedescendant": `${id}-${active}`,
    };
    for (const [name, value] of Object.entries(told)) dom.setAttribute(name, value);
    return () => {
      for (const name of Object.keys(told)) dom.removeAttribute(name);
    };
  }, [view, isDestroyed, id, active]);
}
