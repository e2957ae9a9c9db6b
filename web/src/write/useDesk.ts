import { closeHistory } from "@tiptap/pm/history";
import { useEffect } from "react";
import type { Chapter } from "../chapters/list";
import { useWhere } from "../runs/where";
import { anchorOf, locate } from "./anchor";
import { charactersIn, fitted } from "./caret";
import { offsetAt, positionAt, selectionIn, sliceOf, textOf } from "./text";
import type { Editing } from "./useEditing";

const PAUSE = 250;

/** Tells the agents' column which chapter is open. */
export function useOpenChapter(project: string, chapter: Chapter | undefined): void {
  const id = chapter?.id;
  useEffect(() => {
    const { set } = useWhere.getState();
    set({ chapter: id === undefined ? undefined : { project, id } });
    return () => set({ chapter: undefined });
  }, [project, id]);
}

/** Tells the agents' column what is selected in the chapter, and lets it insert what agents said. */
export function useDesk({ editor, queue, keeper }: Editing, project: string): void {
  useEffect(() => {
    if (editor.isDestroyed) return;
    const { set } = useWhere.getState();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const tell = () => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (editor.isDestroyed || editor.view.composing) return;
        const { doc, selection } = editor.state;
        const { length } = doc.textBetween(selection.from, selection.to, "\n").trim();
        set({ selected: { length, caret: charactersIn(textOf(doc), offsetAt(doc, selection.to)) } });
      }, PAUSE);
    };
    const insert = (said: string) => {
      queue.push((state) => {
        const { doc, selection, schema } = state;
        const text = textOf(doc);
        const at = offsetAt(doc, selection.to);
        const place = positionAt(text, at);
        const put = sliceOf(schema, fitted(said.trim(), text, at));
        return closeHistory(state.tr).replace(place, place, put).scrollIntoView();
      });
      // The next words typed are a step of their own.
      queue.push((state) => closeHistory(state.tr));
    };
    const selection = async (): Promise<[number, number] | undefined> => {
      const { from, to } = selectionIn(editor.state);
      if (from === to) return undefined;
      const anchor = anchorOf(textOf(editor.state.doc), from, to);
      await keeper.flush();
      const found = locate(keeper.held, anchor, from);
      return found && [charactersIn(keeper.held, found.from), charactersIn(keeper.held, found.to)];
    };
    set({ desk: { project, insert, selection } });
    editor.on("selectionUpdate", tell);
    return () => {
      clearTimeout(timer);
      editor.off("selectionUpdate", tell);
      set({ desk: undefined, selected: undefined });
    };
  }, [editor, queue, keeper, project]);
}
