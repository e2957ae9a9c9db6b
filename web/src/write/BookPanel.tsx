import { useMutation } from "@tanstack/react-query";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { changed, useChapters } from "../api/queries";
import type { ProjectView } from "../api/story";
import { chaptersOf } from "../chapters/list";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { TextField } from "../parts/Field";
import { Failed } from "../parts/states";
import styles from "./BookPanel.module.css";
import { type BookHit, replaceInBook, seekBook } from "./book";
import { useFind } from "./find";
import { Panel } from "./Panel";
import type { Editing } from "./useEditing";

type Props = {
  view: ProjectView;
  /** The document that is open in the editor. */
  here: string;
  editing: Editing;
  onClose(): void;
};

const ROW = 62;
/** So much of what stands before a hit fits the line with it. */
const SHOWN = 7;

/** Finding and replacing in all chapters: every hit is seen, and chosen, before anything is changed. */
export function BookPanel({ view, here, editing, onClose }: Props) {
  const { t } = useTranslation();
  const { project } = view.project;
  const { words, put, isExact, set } = useFind();
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const { data: list } = useChapters(project);
  const hits = useMemo(() => {
    const chapters = chaptersOf(list?.chapters ?? [], view.story).flatMap(({ document, title }) =>
      document ? [{ id: document.id, title, text: document.id === here ? editing.text : document.text }] : [],
    );
    return seekBook(chapters, { words, isExact });
  }, [view.story, list, here, editing.text, words, isExact]);
  const chosen = hits.filter(({ key }) => !left.has(key));
  const replace = useMutation({
    mutationFn: () => replaceInBook(project, here, editing, { words, isExact, put }, hits, chosen),
    onSuccess: () => changed(project),
  });
  const turn = (key: string) => {
    const next = new Set(left);
    if (!next.delete(key)) next.add(key);
    setLeft(next);
  };
  const chapters = new Set(hits.map(({ chapter }) => chapter)).size;
  return (
    <Panel title={t("write.find.book_title")} about={t("write.find.book_about")} onClose={onClose}>
      <TextField
        label={t("write.find.words")}
        value={words}
        onChange={(event) => set({ words: event.target.value })}
      />
      <TextField
        label={t("write.find.put")}
        value={put}
        onChange={(event) => set({ put: event.target.value })}
      />
      <div className={styles.actions}>
        <Button
          kind="main"
          disabled={chosen.length === 0 || replace.isPending}
          onClick={() => replace.mutate()}
        >
          {t("write.find.book_replace", { count: chosen.length })}
        </Button>
        <Button onClick={() => setLeft(left.size > 0 ? new Set() : new Set(hits.map(({ key }) => key)))}>
          {left.size > 0 ? t("write.find.choose_all") : t("write.find.choose_none")}
        </Button>
      </div>
      <p role="status" className={styles.told}>
        {replace.data &&
          t("write.find.book_done", { count: replace.data.count, chapters: replace.data.chapters })}
        {replace.data &&
          replace.data.skipped.length > 0 &&
          ` ${t("write.find.book_skipped", { titles: replace.data.skipped.join(" · ") })}`}
      </p>
      {replace.error && <Failed error={replace.error} />}
      <Dim>
        {words !== "" &&
          (hits.length === 0
            ? t("write.find.book_none")
            : t("write.find.book_hits", { count: hits.length, chapters }))}
      </Dim>
      <Hits hits={hits} left={left} onTurn={turn} />
    </Panel>
  );
}

type HitsProps = { hits: readonly BookHit[]; left: ReadonlySet<string>; onTurn(key: string): void };

function Hits({ hits, left, onTurn }: HitsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: hits.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  return (
    <div ref={frame} className={styles.frame}>
      <ul style={{ height: list.getTotalSize() }} className={styles.hits}>
        {list.getVirtualItems().map(({ index, start }) => {
          const hit = hits[index];
          return (
            hit && (
              <li key={hit.key} style={{ transform: `translateY(${start}px)` }}>
                <label>
                  <input type="checkbox" checked={!left.has(hit.key)} onChange={() => onTurn(hit.key)} />
                  <span>
                    <small>{hit.title}</small>
                    <span className={styles.words}>
                      {hit.before.slice(-SHOWN)}
                      <mark>{hit.words}</mark>
                      {hit.after}
                    </span>
                  </span>
                </label>
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
