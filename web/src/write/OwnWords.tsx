import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { isComposing } from "../parts/composing";
import { targetLayer } from "./layer";
import prose from "./Prose.module.css";
import styles from "./SelectionMenu.module.css";
import { selectionIn } from "./text";
import type { Editing } from "./useEditing";

type Props = { editing: Editing; label: string; onSend(words: string): void };

/** A field for an instruction in the author's own words; the selection stays marked in the text. */
export function OwnWords({ editing: { editor, queue }, label, onSend }: Props) {
  const { t } = useTranslation();
  const [words, type] = useState("");
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
    queue.push((state) => {
      return targetLayer.draw(state, [{ ...selectionIn(state), attributes: { class: prose.target ?? "" } }]);
    });
    return () => {
      if (!editor.isDestroyed) queue.push((state) => targetLayer.draw(state, []));
    };
  }, [editor, queue]);
  const send = () => {
    if (words.trim() !== "") onSend(words.trim());
  };
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  return (
    <div className={styles.own}>
      <textarea
        ref={field}
        rows={1}
        value={words}
        aria-label={label}
        placeholder={label}
        onChange={(event) => type(event.target.value)}
        onKeyDown={press}
      />
      <Button kind="main" disabled={words.trim() === ""} onClick={send}>
        {t("common.send")}
      </Button>
    </div>
  );
}
