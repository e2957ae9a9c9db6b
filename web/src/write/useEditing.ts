import type { Editor } from "@tiptap/react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { changed } from "../api/queries";
import type { EditedChapter } from "../api/schema";
import { hunks } from "./compare";
import * as drafts from "./drafts";
import { emphasisMarks } from "./emphasis";
import { Keeper, type Text } from "./keeper";
import { emphasisLayer, pauseLayer, pausesIn } from "./layer";
import styles from "./Prose.module.css";
import { Queue } from "./queue";
import { accept, becoming, refuse, suggest, suggestionsOf, textWithAgents } from "./suggestions";
import { documentOf, textOf } from "./text";
import { useProse } from "./useProse";
import { loadText, saveText } from "./wire";

/** A chapter as it was when it was opened, and what this browser kept of it unconfirmed. */
export type Opened = Text & { draft: drafts.Found | undefined };

export type Editing = {
  editor: Editor;
  queue: Queue;
  keeper: Keeper<EditedChapter>;
  /** The author's text as of the last pause in writing; never of within a word. */
  text: string;
  /** The author's text as it is at this moment. */
  now(): string;
  /** What the last save told. */
  saved: { answer: EditedChapter; at: number } | undefined;
  decide(ids: readonly number[], isAccepted: boolean): void;
  /** Puts another text in the place of this one, as a step that can be undone. */
  rewrite(text: string): void;
};

type Props = {
  project: string;
  document: string;
  title: string;
  language: string;
  opened: Opened;
  onKey(event: KeyboardEvent): boolean;
  onPropose(id: number, isTaken: boolean): void;
  onCompare(): void;
};

const SCAN = 350;
const TELL = 4_000;
const CHANNEL = "qingyu.chapters";
type Told = Text & { project: string; document: string };

/** The editor of a chapter with all that watches over its text: queue, keeper, scanning, the other pages. */
export function useEditing(props: Props): Editing {
  const { project, document, title, language, opened, onKey, onPropose, onCompare } = props;
  const [text, setText] = useState(opened.text);
  const [saved, setSaved] = useState<Editing["saved"]>();
  const held = useRef<Editor | undefined>(undefined);
  const channel = useRef<BroadcastChannel | undefined>(undefined);
  const scanning = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const telling = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const [{ queue, keeper, rewrite, decide, scan }] = useState(() => {
    const editor = () => {
      if (!held.current) throw new Error("the editor is not there yet");
      return held.current;
    };
    const queue = new Queue(() => (held.current?.isDestroyed ? undefined : held.current?.view));
    const rewrite = (wanted: string) =>
      queue.push((state) => becoming(state, hunks(textOf(state.doc), wanted, language)));
    const keeper = new Keeper<EditedChapter>(opened, {
      read: () => textWithAgents(editor().state),
      isComposing: () => editor().view.composing,
      whenStill: (act) => queue.whenStill(act),
      put: (wanted, expected) => saveText(project, document, wanted, expected),
      load: () => loadText(project, document),
      keep: (draft) => drafts.keep(project, document, { ...draft, at: Date.now() }),
      forget: () => drafts.forget(project, document),
      suggest: (newest) =>
        queue.push((state) => suggest(state, hunks(textOf(state.doc), newest, language), "agent")),
      adopt: rewrite,
      onSaved: (answer, sent) => {
        setSaved({ answer, at: Date.now() });
        channel.current?.postMessage({
          project,
          document,
          text: sent,
          version: answer.version,
        } satisfies Told);
        clearTimeout(telling.current);
        telling.current = setTimeout(() => changed(project), TELL);
      },
    });
    const decide = (ids: readonly number[], isAccepted: boolean) => {
      queue.push((state) => (isAccepted ? accept(state, ids) : refuse(state, ids)));
      queue.whenStill(() => keeper.touched());
    };
    const scan = () => {
      clearTimeout(scanning.current);
      scanning.current = setTimeout(() => queue.whenStill(() => setText(textOf(editor().state.doc))), SCAN);
    };
    return { queue, keeper, rewrite, decide, scan };
  });

  const editor = useProse({
    id: document,
    text: opened.text,
    title,
    language,
    onKey,
    onChange: () => {
      keeper.touched();
      scan();
    },
    onDecide: (id, isAccepted) => decide([id], isAccepted),
    onPropose,
    onCompare,
  });
  useLayoutEffect(() => {
    const before = held.current;
    if (before && before !== editor) moveOver(before, editor, language);
    held.current = editor;
  }, [editor, language]);

  useEffect(() => {
    const stop = keeper.start();
    channel.current = new BroadcastChannel(CHANNEL);
    channel.current.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.project === project && data.document === document) keeper.follow(data);
    };
    if (opened.draft) {
      drafts.take(project, document, opened.draft);
      keeper.recover(opened.draft);
    }
    return () => {
      stop();
      queue.clear();
      channel.current?.close();
      clearTimeout(scanning.current);
      if (telling.current !== undefined) {
        clearTimeout(telling.current);
        changed(project);
      }
    };
  }, [keeper, queue, project, document, opened]);
  useWatch(keeper);

  useEffect(() => {
    const marks = pausesIn(text).map((place) => ({
      ...place,
      isLine: true,
      attributes: { class: styles.pause ?? "" },
    }));
    queue.push((state) => (textOf(state.doc) === text ? pauseLayer.draw(state, marks) : null));
    const faces = { bold: styles.bold ?? "", italic: styles.italic ?? "", sign: styles.sign ?? "" };
    const emphasis = emphasisMarks(text, faces);
    queue.push((state) => (textOf(state.doc) === text ? emphasisLayer.draw(state, emphasis) : null));
  }, [text, queue]);

  return useMemo(
    () => ({ editor, queue, keeper, text, saved, decide, rewrite, now: () => textOf(editor.state.doc) }),
    [editor, queue, keeper, text, saved, decide, rewrite],
  );
}

/** Should the editor be made anew, it goes on with the text that stood in the one before, suggestions and all. */
function moveOver(before: Editor, after: Editor, language: string): void {
  const [text, wanted] = [textOf(before.state.doc), textWithAgents(before.state)];
  after.commands.setContent(documentOf(text), { emitUpdate: false });
  if (wanted !== text) after.view.dispatch(suggest(after.state, hunks(text, wanted, language), "agent"));
}

/** The text is saved when the page is hidden or back on the line, and kept here when it is closed. */
function useWatch(keeper: Keeper<EditedChapter>): void {
  useEffect(() => {
    const flush = () => void keeper.flush();
    const hide = () => keeper.keepCopy();
    const hidden = () => {
      hide();
      if (window.document.visibilityState === "hidden") flush();
    };
    const leave = (event: BeforeUnloadEvent) => {
      if (!keeper.keepCopy()) event.preventDefault();
    };
    addEventListener("online", flush);
    addEventListener("pagehide", hide);
    addEventListener("beforeunload", leave);
    window.document.addEventListener("visibilitychange", hidden);
    return () => {
      removeEventListener("online", flush);
      removeEventListener("pagehide", hide);
      removeEventListener("beforeunload", leave);
      window.document.removeEventListener("visibilitychange", hidden);
    };
  }, [keeper]);
}

/** Whether agents' suggestions are open in the text. */
export function hasAgents(editor: Editor): boolean {
  const { origin, items } = suggestionsOf(editor.state);
  return origin === "agent" && items.length > 0;
}
