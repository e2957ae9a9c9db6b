import { useVirtualizer } from "@tanstack/react-virtual";
import { History, Skull, TriangleAlert } from "lucide-react";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Finding } from "../api/schema";
import type { TimelineEvent } from "../api/story";
import type { Book } from "./book";
import { type Column, type Lane, type Slot, slots } from "./storyTime";
import styles from "./Timeline.module.css";

const WIDTH = 172;
const HEIGHT = 54;
const ROOM = 12;
const TITLES = 132;
const HEAD = 44;

type Props = {
  book: Book;
  columns: Column[];
  lanes: Lane[];
  spans: ReadonlyMap<string, number>;
  conflicts: ReadonlyMap<string, Finding[]>;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
};

/** Events in lanes over the columns of time; only the columns that are seen are drawn. */
export function Lanes({ columns, lanes, spans, conflicts, chosen, onChoose }: Props) {
  const { t } = useTranslation();
  const frame = useRef<HTMLElement>(null);
  const across = useVirtualizer({
    count: columns.length,
    horizontal: true,
    getScrollElement: () => frame.current,
    estimateSize: () => WIDTH,
    overscan: 3,
  });
  const filled = useMemo(
    () => lanes.map((lane) => ({ lane, ...slots(lane, columns, spans) })),
    [lanes, columns, spans],
  );
  const seen = across.getVirtualItems();
  const first = seen[0]?.index ?? 0;
  const last = seen.at(-1)?.index ?? 0;
  const isSeen = ({ column, span }: Slot) => column <= last && column + span > first;
  const width = TITLES + columns.length * WIDTH;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is scrolled must be reached by the keyboard
    <section ref={frame} className={styles.frame} aria-label={t("shell.nav.timeline")} tabIndex={0}>
      <div className={styles.head} style={{ width, height: HEAD }}>
        <span className={styles.corner} style={{ width: TITLES }} />
        {seen.map(({ index, start }) => (
          <span
            key={index}
            className={styles.column}
            style={{ left: TITLES + start, width: WIDTH }}
            title={columns[index]?.title}
          >
            {columns[index]?.title || t("story.timeline.untimed")}
          </span>
        ))}
      </div>
      {filled.map(({ lane, slots, rows }) => (
        <div key={lane.id} className={styles.lane} style={{ width, height: rows * HEIGHT + ROOM }}>
          <h3 className={styles.title} style={{ width: TITLES }}>
            {lane.title}
          </h3>
          {slots.filter(isSeen).map(({ event, column, span, row }) => (
            <EventMark
              key={event.id}
              event={event}
              isDead={event.deaths.length > 0}
              hasConflict={conflicts.has(event.id)}
              isChosen={chosen === event.id}
              style={{
                left: TITLES + column * WIDTH + 4,
                top: row * HEIGHT + ROOM / 2 + 3,
                width: span * WIDTH - 8,
                height: HEIGHT - 6,
              }}
              onClick={() => onChoose(chosen === event.id ? undefined : event.id)}
            />
          ))}
        </div>
      ))}
    </section>
  );
}

type MarkProps = {
  event: TimelineEvent;
  isDead: boolean;
  hasConflict: boolean;
  isChosen: boolean;
  style: React.CSSProperties;
  onClick: () => void;
};

function EventMark({ event, isDead, hasConflict, isChosen, style, onClick }: MarkProps) {
  const { t } = useTranslation();
  const said = [
    event.mode === "narrated" ? "" : t(`story.mode.${event.mode}`),
    isDead ? t("story.timeline.dies", { names: event.deaths.join(", ") }) : "",
    hasConflict ? t("story.timeline.conflict") : "",
  ].filter(Boolean);
  return (
    <button
      type="button"
      className={styles.event}
      data-mode={event.mode}
      data-conflict={hasConflict}
      data-weight={event.importance >= 8}
      aria-pressed={isChosen}
      title={[event.title, event.timestamp, ...said].filter(Boolean).join(" · ")}
      style={style}
      onClick={onClick}
    >
      <span>{event.title}</span>
      <span className={styles.marks} aria-hidden>
        {event.mode === "flashback" && <History size={13} />}
        {isDead && <Skull size={13} />}
        {hasConflict && <TriangleAlert size={13} />}
      </span>
      <span className="unseen">{said.join(", ")}</span>
    </button>
  );
}
