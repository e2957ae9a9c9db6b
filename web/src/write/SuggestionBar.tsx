import { useEditorState } from "@tiptap/react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Bar } from "./Bar";
import { look } from "./keys";
import { suggestionsOf } from "./suggestions";
import type { Editing } from "./useEditing";

/** What is suggested in the text, to be decided all at once or one by one. */
export function SuggestionBar({ editing }: { editing: Editing }) {
  const { t } = useTranslation();
  const { editor, decide } = editing;
  const { count, origin } = useEditorState({
    editor,
    selector: ({ editor }) => {
      const { items, origin } = suggestionsOf(editor.state);
      return { count: items.length, origin };
    },
  });
  const said = useEnd(count, t("write.suggestions.none_left"));
  if (count === 0) {
    return (
      <span role="status" className="unseen">
        {said}
      </span>
    );
  }
  const all = (isAccepted: boolean) =>
    decide(
      suggestionsOf(editor.state).items.map(({ id }) => id),
      isAccepted,
    );
  return (
    <Bar label={t("write.suggestions.label")}>
      <span role="status">{t(`write.suggestions.${origin}`, { count })}</span>
      <Button
        aria-label={t("write.suggestions.previous")}
        title={t("write.suggestions.previous")}
        onClick={() => look(editing, -1)}
      >
        ‹
      </Button>
      <Button
        aria-label={t("write.suggestions.next")}
        title={t("write.suggestions.next")}
        onClick={() => look(editing, 1)}
      >
        ›
      </Button>
      <Button onClick={() => all(false)}>{t("write.suggestions.refuse_all")}</Button>
      <Button kind="main" onClick={() => all(true)}>
        {t("write.suggestions.accept_all")}
      </Button>
    </Bar>
  );
}

/** Words for when the last one is decided. */
function useEnd(count: number, words: string): string {
  const before = useRef(count);
  const [said, say] = useState("");
  useEffect(() => {
    if (before.current > 0 && count === 0) say(words);
    if (count > 0) say("");
    before.current = count;
  }, [count, words]);
  return said;
}
