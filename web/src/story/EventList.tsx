import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Finding } from "../api/schema";
import { Dim, Tag } from "../parts/Card";
import type { Book } from "./book";
import { ChapterLink } from "./parts";
import type { Column } from "./storyTime";
import styles from "./Timeline.module.css";

type Props = {
  project: string;
  book: Book;
  columns: Column[];
  conflicts: ReadonlyMap<string, Finding[]>;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
};

/** The same as the lanes, one event below the other. */
export function EventList({ project, book, columns, conflicts, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const rows = columns.flatMap(({ events, title }) =>
    events.map((event, index) => ({ event, title: index === 0 ? title : "" })),
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => 84,
    overscan: 8,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by the keyboard
    <div ref={frame} className={styles.list} tabIndex={0} role="region" aria-label={t("story.timeline.list")}>
      <ol style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (!row) return null;
          const { event, title } = row;
          const told = book.chapterOf(event.outline_node);
          return (
            <li
              key={event.id}
              ref={list.measureElement}
              data-index={index}
              data-conflict={conflicts.has(event.id)}
              style={{ transform: `translateY(${start}px)` }}
            >
              <span className={styles.when}>{title || (index === 0 ? t("story.timeline.untimed") : "")}</span>
              <div>
                <button
                  type="button"
                  className={styles.name}
                  aria-pressed={chosen === event.id}
                  onClick={() => onChoose(chosen === event.id ? undefined : event.id)}
                >
                  {event.title}
                </button>{" "}
                {event.mode !== "narrated" && <Tag>{t(`story.mode.${event.mode}`)}</Tag>}{" "}
                {event.deaths.length > 0 && (
                  <Tag>{t("story.timeline.dies", { names: event.deaths.join(", ") })}</Tag>
                )}{" "}
                {conflicts.has(event.id) && (
                  <span className={styles.alarm}>{t("story.timeline.conflict")}</span>
                )}
                <p>{event.description}</p>
                <Dim>
                  {[event.participants.join(" · "), event.location].filter(Boolean).join(" @ ")}{" "}
                  {told !== undefined && <ChapterLink project={project} book={book} number={told} />}
                </Dim>
              </div>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
