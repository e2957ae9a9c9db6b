import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isComposing } from "../parts/composing";
import styles from "./Chapters.module.css";

type Props = {
  title: string;
  onSave(title: string): void;
  /** `isByKey` if the focus is still in the field, and has to go somewhere. */
  onClose(isByKey: boolean): void;
};

/** The title of a chapter while it is renamed: Enter and leaving the field save, Escape does not. */
export function ChapterTitle({ title, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const [typed, type] = useState(title);
  const input = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, []);
  const end = (isSaved: boolean, isByKey: boolean) => {
    // The field loses the focus when it is taken away, too.
    if (isOver.current) return;
    isOver.current = true;
    if (isSaved) onSave(typed);
    onClose(isByKey);
  };
  const press = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (isComposing(event)) return;
    if (event.key === "Enter") end(true, true);
    else if (event.key === "Escape") end(false, true);
  };
  return (
    <input
      ref={input}
      className={styles.title}
      aria-label={t("chapters.new_title")}
      value={typed}
      onChange={(event) => type(event.target.value)}
      onKeyDown={press}
      onBlur={() => end(true, false)}
      onClick={(event) => event.stopPropagation()}
    />
  );
}
