import { closeHistory } from "@tiptap/pm/history";
import type { EditorState } from "@tiptap/pm/state";
import { useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Command, caretCommands, commandIn, passageCommands, type Tone, tones } from "./caret";
import { pressInList } from "./listKeys";
import type { Editing } from "./useEditing";
import type { Proposing, Target } from "./useProposals";
import { type Beside, placeOf, useNamed } from "./useReferences";

/** A row of the list of commands. */
export type Entry = { key: string; label: string; target: Target; command: Command; tone?: Tone };

export type Commanding = {
  id: string;
  /** The commands that are offered; empty while the list is shut. */
  entries: readonly Entry[];
  active: number;
  place: Beside | undefined;
  /** The form for own words: the target of the command, and its place on the screen. */
  form: { target: Target; place: Beside } | undefined;
  pick(entry: Entry): void;
  send(words: string): void;
  /** Opens the list at the caret. */
  call(): void;
  close(): void;
  /** Whether the key was meant for the list. */
  press(event: KeyboardEvent): boolean;
};

/** The open list: by a sign at the start of a line, with the word after it, or by a key. */
type Held = { word: string; isTyped: boolean; isTone: boolean; place: Beside };

/** The commands at the caret: called by a key, or by `/` at the start of an empty paragraph. */
export function useCommands({ editor, queue }: Editing, proposing: Proposing): Commanding {
  const { t } = useTranslation();
  const id = useId();
  const [held, hold] = useState<Held>();
  const [active, setActive] = useState(0);
  const [form, setForm] = useState<Commanding["form"]>();
  const refused = useRef<number | undefined>(undefined);
  const entries = useMemo((): Entry[] => {
    if (!held) return [];
    if (held.isTone) {
      return tones.map((tone) => ({
        key: tone,
        label: t(`write.caret.tones.${tone}`),
        target: "paragraph",
        command: "tone",
        tone,
      }));
    }
    const all: Entry[] = [
      ...caretCommands.map(
        (command): Entry => ({
          key: `caret/${command}`,
          label: t(`write.caret.at.${command}`),
          target: "caret",
          command,
        }),
      ),
      ...passageCommands.map(
        (command): Entry => ({
          key: `paragraph/${command}`,
          label: t(`write.caret.command.${command}`),
          target: "paragraph",
          command,
        }),
      ),
    ];
    const sought = held.word.toLowerCase();
    return all.filter(
      ({ label, command }) => label.toLowerCase().includes(sought) || command.startsWith(sought),
    );
  }, [held, t]);

  useEffect(() => {
    if (editor.isDestroyed) return;
    let isAsked = false;
    const look = () => {
      isAsked = false;
      if (editor.isDestroyed) return;
      const begun = begunAt(editor.state);
      if (begun?.from !== refused.current) refused.current = undefined;
      const isShown = begun && refused.current === undefined && editor.isFocused && editor.isEditable;
      hold(
        isShown
          ? { word: begun.word, isTyped: true, isTone: false, place: placeOf(editor, begun.from) }
          : undefined,
      );
    };
    // Never while a word is being composed: what stands there then is no word yet.
    const later = ({ transaction }: { transaction: { docChanged: boolean; selectionSet: boolean } }) => {
      if (isAsked || !(transaction.docChanged || transaction.selectionSet)) return;
      isAsked = true;
      queue.whenStill(look);
    };
    const leave = () => hold(undefined);
    editor.on("transaction", later);
    editor.on("blur", leave);
    return () => {
      editor.off("transaction", later);
      editor.off("blur", leave);
    };
  }, [editor, queue]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => setActive(0), [held?.word, held?.isTone]);
  useNamed(editor, id, entries.length > 0 ? active : undefined);

  const close = () => {
    hold(undefined);
    setForm(undefined);
  };
  const pick = ({ target, command, tone }: Entry) => {
    if (!held) return;
    if (command === "tone" && !tone) {
      hold({ ...held, word: "", isTone: true });
      return;
    }
    hold(undefined);
    // The sign and the word after it were only typed to find the command.
    queue.push((state) => {
      const begun = begunAt(state);
      return held.isTyped && begun ? closeHistory(state.tr).delete(begun.from, begun.to) : null;
    });
    queue.whenStill(() => {
      if (command === "own") setForm({ target, place: placeOf(editor, editor.state.selection.from) });
      else proposing.give(target, command, tone ? { tone } : {});
    });
  };
  const send = (words: string) => {
    if (!form) return;
    setForm(undefined);
    editor.commands.focus(undefined, { scrollIntoView: false });
    proposing.give(form.target, "own", { words });
  };
  const refuse = () => {
    refused.current = begunAt(editor.state)?.from;
    hold(undefined);
  };
  const press = (event: KeyboardEvent) => pressInList(event, { entries, active, setActive, pick, refuse });
  const call = () => {
    if (editor.view.composing) return;
    const place = placeOf(editor, editor.state.selection.from);
    hold({ word: "", isTyped: begunAt(editor.state) !== undefined, isTone: false, place });
  };
  return { id, entries, active, place: held?.place, form, pick, send, call, close, press };
}

/** The line that calls the commands, if the caret stands at its end. */
function begunAt({ selection }: EditorState): { from: number; to: number; word: string } | undefined {
  const { $from, empty } = selection;
  if (!empty || $from.parentOffset !== $from.parent.content.size) return undefined;
  const word = commandIn($from.parent.textContent);
  return word === undefined ? undefined : { from: $from.start(), to: $from.end(), word };
}
