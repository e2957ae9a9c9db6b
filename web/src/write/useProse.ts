import { Document } from "@tiptap/extension-document";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Text } from "@tiptap/extension-text";
import { Placeholder, UndoRedo } from "@tiptap/extensions";
import { closeHistory } from "@tiptap/pm/history";
import type { EditorView } from "@tiptap/pm/view";
import { type Editor, useEditor } from "@tiptap/react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../parts/composing";
import {
  commentLayer,
  emphasisLayer,
  findingLayer,
  matchLayer,
  nameLayer,
  pauseLayer,
  targetLayer,
} from "./layer";
import styles from "./Prose.module.css";
import { ProposalLayer } from "./proposals";
import { SuggestionLayer } from "./suggestions";
import { documentOf, LONGEST, sliceOf } from "./text";

export type ProseSettings = {
  id: string;
  text: string;
  title: string;
  language: string;
  onChange(): void;
  onDecide(id: number, isAccepted: boolean): void;
  /** A change that an agent proposes was taken or discarded in the text. */
  onPropose(id: number, isTaken: boolean): void;
  /** The author wants to see a proposal beside words that have changed. */
  onCompare(): void;
  /** Whether the key meant something, and was taken. */
  onKey(event: KeyboardEvent): boolean;
};

/** The editor of one chapter. It owns the document; what React draws around it never re-renders it. */
export function useProse(settings: ProseSettings): Editor {
  const { t } = useTranslation();
  const now = useRef(settings);
  now.current = settings;
  const { id, text, title, language } = settings;
  const editor = useEditor(
    {
      immediatelyRender: true,
      shouldRerenderOnTransaction: false,
      injectCSS: false,
      editable: text.length <= LONGEST,
      extensions: [
        Document,
        Paragraph,
        Text,
        UndoRedo,
        Placeholder.configure({
          placeholder: () => t("write.placeholder"),
          emptyNodeClass: "",
          emptyEditorClass: styles.empty ?? "",
        }),
        SuggestionLayer.configure({
          labels: {
            accept: () => t("write.suggestions.accept"),
            refuse: () => t("write.suggestions.refuse"),
            joined: () => t("write.suggestions.joined"),
          },
          onDecide: (suggestion, isAccepted) => now.current.onDecide(suggestion, isAccepted),
        }),
        ProposalLayer.configure({
          labels: {
            take: () => t("write.caret.take"),
            discard: () => t("write.caret.discard"),
            changed: () => t("write.caret.changed"),
            working: () => t("write.caret.working"),
          },
          onDecide: (piece, isTaken) => now.current.onPropose(piece, isTaken),
          onCompare: () => now.current.onCompare(),
        }),
        findingLayer.extension,
        commentLayer.extension,
        nameLayer.extension,
        targetLayer.extension,
        matchLayer.extension,
        pauseLayer.extension,
        emphasisLayer.extension,
      ],
      content: documentOf(text),
      editorProps: {
        attributes: () => ({
          class: styles.prose ?? "",
          role: "textbox",
          "aria-multiline": "true",
          "aria-label": t("write.prose", { title: now.current.title }),
          "data-testid": "prose",
          lang: language === "zh" ? "zh-CN" : language,
          spellcheck: String(language !== "zh"),
        }),
        clipboardTextSerializer: (slice) => slice.content.textBetween(0, slice.content.size, "\n"),
        handlePaste: pastePlain,
        handleKeyDown: (_, event) => {
          if (isComposing(event)) return false;
          return now.current.onKey(event);
        },
      },
      onUpdate: () => now.current.onChange(),
    },
    [id],
  );
  // A chapter may be renamed while it is open: the editor is named after it again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the attributes read the title of the moment
  useEffect(() => {
    if (!editor.isDestroyed) editor.view.setProps({});
  }, [editor, title]);
  return editor;
}

/** Only words are pasted: each line becomes a paragraph. */
function pastePlain(view: EditorView, event: ClipboardEvent): boolean {
  const words = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n");
  if (!words) return false;
  const step = closeHistory(view.state.tr).replaceSelection(sliceOf(view.state.schema, words));
  view.dispatch(step.scrollIntoView().setMeta("paste", true));
  return true;
}
