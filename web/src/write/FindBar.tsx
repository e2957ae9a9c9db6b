import { ArrowDown, ArrowUp, X } from "lucide-react";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { isComposing } from "../parts/composing";
import styles from "./FindBar.module.css";
import { useFind } from "./find";
import { matchLayer } from "./layer";
import prose from "./Prose.module.css";
import { replaced, seek } from "./seek";
import { positionAt, textOf } from "./text";
import type { Editing } from "./useEditing";

type Props = { editing: Editing; onBook(): void; onClose(): void };

/** Finding and replacing within the chapter. */
export function FindBar({ editing, onBook, onClose }: Props) {
  const { t } = useTranslation();
  const { editor, queue, text } = editing;
  const { words, put, isExact, set } = useFind();
  const [at, setAt] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => seek(text, { words, isExact }), [text, words, isExact]);
  const current = hits.length === 0 ? -1 : at % hits.length;

  useEffect(() => {
    const { from, to } = editor.state.selection;
    const selected = editor.state.doc.textBetween(from, to, "\n");
    if (selected !== "" && !selected.includes("\n")) set({ words: selected });
    field.current?.select();
  }, [editor, set]);
  useEffect(() => {
    const marks = hits.map(({ from, to }, index) => ({
      from,
      to,
      attributes: { class: `${prose.match}${index === current ? ` ${prose.seen}` : ""}` },
    }));
    queue.push((state) => (textOf(state.doc) === text ? matchLayer.draw(state, marks) : null));
    queue.whenStill(() =>
      editor.view.dom.querySelector(`.${prose.match}.${prose.seen}`)?.scrollIntoView(SEEN),
    );
  }, [hits, current, text, queue, editor]);
  useEffect(() => () => queue.push((state) => matchLayer.draw(state, [])), [queue]);

  const step = (by: number) => setAt((current + by + hits.length) % Math.max(1, hits.length));
  const replace = (chosen: ReadonlySet<number>) =>
    queue.whenStill(() => {
      const now = textOf(editor.state.doc);
      editing.rewrite(replaced(now, seek(now, { words, isExact }), chosen, put));
    });
  const press = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === "Escape") {
      select();
      onClose();
    } else if (event.key === "Enter" && event.target === field.current) {
      event.preventDefault();
      step(event.shiftKey ? -1 : 1);
    }
  };
  /** The author goes on writing where the hit is. */
  const select = () => {
    const hit = hits[current];
    if (!hit || editor.view.composing) return;
    editor.commands.setTextSelection({ from: positionAt(text, hit.from), to: positionAt(text, hit.to) });
  };
  return (
    <search className={styles.bar} aria-label={t("write.find.title")} onKeyDown={press}>
      <div className={styles.row}>
        <input
          ref={field}
          className={styles.input}
          aria-label={t("write.find.words")}
          placeholder={t("write.find.words")}
          value={words}
          onChange={(event) => {
            set({ words: event.target.value });
            setAt(0);
          }}
        />
        <span role="status" className={styles.told}>
          {words !== "" &&
            (hits.length === 0
              ? t("write.find.none")
              : t("write.find.of", { number: current + 1, count: hits.length }))}
        </span>
        <Button
          kind="plain"
          aria-label={t("write.find.previous")}
          title={t("write.find.previous")}
          onClick={() => step(-1)}
        >
          <ArrowUp size={15} aria-hidden />
        </Button>
        <Button
          kind="plain"
          aria-label={t("write.find.next")}
          title={t("write.find.next")}
          onClick={() => step(1)}
        >
          <ArrowDown size={15} aria-hidden />
        </Button>
        <label className={styles.exact}>
          <input
            type="checkbox"
            checked={isExact}
            onChange={(event) => set({ isExact: event.target.checked })}
          />
          {t("write.find.exact")}
        </label>
        <Button kind="plain" aria-label={t("common.close")} onClick={onClose}>
          <X size={15} aria-hidden />
        </Button>
      </div>
      <div className={styles.row}>
        <input
          className={styles.input}
          aria-label={t("write.find.put")}
          placeholder={t("write.find.put")}
          value={put}
          onChange={(event) => set({ put: event.target.value })}
        />
        <Button disabled={current === -1} onClick={() => replace(new Set([current]))}>
          {t("write.find.one")}
        </Button>
        <Button disabled={current === -1} onClick={() => replace(new Set(hits.keys()))}>
          {t("write.find.all")}
        </Button>
        <Button disabled={words === ""} onClick={onBook}>
          {t("write.find.book")}
        </Button>
      </div>
    </search>
  );
}

const SEEN = { block: "center" } as const;
