import { Document } from "@tiptap/extension-document";
import { Paragraph } from "@tiptap/extension-paragraph";
import { Text } from "@tiptap/extension-text";
import { Placeholder, UndoRedo } from "@tiptap/extensions";
import { closeHistory } from "@tiptap/pm/history";
import type { EditorView } from "@tiptap/pm/view";
import { type Editor, useEditor } from "@tiptap/react";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { findingLayer, matchLayer, pauseLayer } from "./layer";
import styles from "./Prose.module.css";
import { SuggestionLayer } from "./suggestions";
import { documentOf, LONGEST, sliceOf } from "./text";

export type ProseSettings = {
  id: string;
  text: string;
  title: string;
  language: string;
  onChange(): void;
  onDecide(id: number, isAccepted: boolean): void;
  /** Whether the key meant something, and was taken. */
  onKey(event: KeyboardEvent): boolean;
};

/** The editor of one chapter. It owns the document; what React draws around it never re-renders it. */
export function useProse(settings: ProseSettings): Editor {
  const { t } = useTranslation();
  const now = useRef(settings);
  now.current = settings;
  const { id, text, title, language } = settings;
  return useEditor(
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
        findingLayer.extension,
        matchLayer.extension,
        pauseLayer.extension,
      ],
      content: documentOf(text),
      editorProps: {
        attributes: {
          class: styles.prose ?? "",
          role: "textbox",
          "aria-multiline": "true",
          "aria-label": t("write.prose", { title }),
          "data-testid": "prose",
          lang: language === "zh" ? "zh-CN" : language,
          spellcheck: String(language !== "zh"),
        },
        clipboardTextSerializer: (slice) => slice.content.textBetween(0, slice.content.size, "\n"),
        handlePaste: pastePlain,
        handleKeyDown: (_, event) => {
          if (event.isComposing || event.keyCode === 229) return false;
          return now.current.onKey(event);
        },
      },
      onUpdate: () => now.current.onChange(),
    },
    [id],
  );
}

/** Only words are pasted: each line becomes a paragraph. */
function pastePlain(view: EditorView, event: ClipboardEvent): boolean {
  const words = event.clipboardData?.getData("text/plain").replace(/\r\n?/g, "\n");
  if (!words) return false;
  const step = closeHistory(view.state.tr).replaceSelection(sliceOf(view.state.schema, words));
  view.dispatch(step.scrollIntoView().setMeta("paste", true));
  return true;
}
