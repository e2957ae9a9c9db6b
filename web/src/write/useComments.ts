import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import type { CommentChange, CommentList, CommentRow } from "../api/schema";
import { type Anchor, anchorOf } from "./anchor";
import { commentMarks } from "./comments";
import { commentLayer } from "./layer";
import styles from "./Prose.module.css";
import { selectedWords, textOf } from "./text";
import type { Editing } from "./useEditing";
import { useSuggested } from "./useSuggested";

/** The comments of a chapter, and the actions on them. */
export type Commenting = {
  comments: readonly CommentRow[];
  error: unknown;
  isBusy: boolean;
  /** The words of a comment that is being written. */
  draft: Anchor | undefined;
  /** Begins a comment on the selected words; false if no words are selected. */
  begin(): boolean;
  dropDraft(): void;
  /** Adds the remark on the draft's words, with other words for them if some are suggested. */
  add(text: string, replacement?: string): void;
  change(comment: string, change: CommentChange): void;
  remove(comment: string): void;
  /** The id of the selected comment. */
  seen: string | undefined;
  look(comment: string | undefined): void;
  /** Selects the words of a comment and scrolls to them; false if the text no longer has them. */
  select(comment: string): boolean;
};

type NewComment = { text: string; replacement: string | undefined; anchor: Anchor };

const NONE: readonly CommentRow[] = [];

/** Loads the comments of a chapter, marks their words, and changes them. */
export function useComments(editing: Editing, project: string, document: string): Commenting {
  const { editor, queue, keeper, saved } = editing;
  const [draft, setDraft] = useState<Anchor>();
  const [seen, look] = useState<string>();
  const queryKey = [...keys.chapter(project, document), "comments"];
  const query = useQuery({
    queryKey: [...queryKey, saved?.answer.version ?? null],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/comments", {
          params: { path: { project }, query: { chapter: document } },
        }),
      ),
    placeholderData: (before) => before,
  });
  const comments = query.data?.comments ?? NONE;
  useEffect(() => {
    const classes = { comment: styles.comment ?? "", seen: styles.seen ?? "" };
    queue.push((state) => commentLayer.draw(state, commentMarks(textOf(state.doc), comments, seen, classes)));
  }, [comments, seen, queue]);
  const settling = useRef(Promise.resolve());
  /** Resolves a taken suggestion, or reopens an undone one, as soon as its words are saved; one after the other. */
  const settle = (comment: string, action: "resolve" | "reopen") => {
    settling.current = settling.current.then(async () => {
      if (!(await keeper.saved())) return;
      // A failure is shown with the comments.
      await changing.mutateAsync({ comment, change: { action } }).catch(() => undefined);
    });
  };
  useSuggested(
    editing,
    comments,
    (comment) => settle(comment, "resolve"),
    (comment) => settle(comment, "reopen"),
  );
  useEffect(() => {
    if (editor.isDestroyed) return;
    const { dom } = editor.view;
    const click = ({ target }: Event) => {
      const words = target instanceof Element ? target.closest("[data-comment]") : null;
      if (words instanceof HTMLElement) look(words.dataset.comment);
    };
    dom.addEventListener("click", click);
    return () => dom.removeEventListener("click", click);
  }, [editor]);

  const told = (list: CommentList) => {
    queries.setQueriesData({ queryKey }, list);
    void queries.invalidateQueries({ queryKey: [...keys.project(project), "log"] });
  };
  const path = (comment: string) => ({ params: { path: { project, comment } } });
  const adding = useMutation({
    mutationFn: async ({ text, replacement, anchor }: NewComment) => {
      // The server looks the words up in its own text.
      await keeper.flush();
      const { quote, before, after } = anchor;
      const comment = { chapter: document, quote, before, after, text, replacement };
      return answer(
        http.POST("/api/v1/projects/{project}/comments", {
          params: { path: { project } },
          body: { comment },
        }),
      );
    },
    onSuccess: (list) => {
      setDraft(undefined);
      look(list.changed ?? undefined);
      told(list);
    },
  });
  const changing = useMutation({
    mutationFn: ({ comment, change }: { comment: string; change: CommentChange }) =>
      answer(
        http.PATCH("/api/v1/projects/{project}/comments/{comment}", { ...path(comment), body: { change } }),
      ),
    onSuccess: told,
  });
  const removing = useMutation({
    mutationFn: (comment: string) =>
      answer(http.DELETE("/api/v1/projects/{project}/comments/{comment}", path(comment))),
    onSuccess: told,
  });
  return {
    comments,
    error: adding.error ?? changing.error ?? removing.error ?? query.error,
    isBusy: adding.isPending || changing.isPending || removing.isPending,
    draft,
    begin: () => {
      const words = selectedWords(editor.state);
      if (!words) return false;
      setDraft(anchorOf(textOf(editor.state.doc), words.from, words.to));
      look(undefined);
      return true;
    },
    dropDraft: () => setDraft(undefined),
    add: (text, replacement) => draft && adding.mutate({ text, replacement, anchor: draft }),
    change: (comment, change) => changing.mutate({ comment, change }),
    remove: (comment) => removing.mutate(comment),
    seen,
    look,
    select: (comment) => {
      look(comment);
      const mark = commentLayer.drawn(editor.state).find(({ spec }) => spec["data-comment"] === comment);
      if (!mark) return false;
      editor.commands.setTextSelection({ from: mark.from, to: mark.to });
      editor.commands.focus(undefined, { scrollIntoView: false });
      const words = editor.view.dom.querySelector(`[data-comment="${CSS.escape(comment)}"]`);
      words?.scrollIntoView({ block: "center", behavior: "smooth" });
      return true;
    },
  };
}
