import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../parts/Button";
import type { RunEvent } from "../events";
import styles from "./RawEvents.module.css";
import { Section } from "./Section";

/** Everything the run told, word for word, for those who want to see it. */
export function RawEvents({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const [isShown, show] = useState(false);
  if (events.length === 0) return null;
  return (
    <Section title={t("runs.page.raw")}>
      <p>
        <Button aria-expanded={isShown} onClick={() => show(!isShown)}>
          {isShown ? t("runs.page.raw_hide") : t("runs.page.raw_show", { count: events.length })}
        </Button>
      </p>
      {isShown && <Log events={events} />}
    </Section>
  );
}

const LINE = 30;

function Log({ events }: { events: readonly RunEvent[] }) {
  const { t } = useTranslation();
  const [open, turn] = useState<number>();
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: events.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE,
    overscan: 10,
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys
    <div ref={frame} className={styles.log} tabIndex={0} role="region" aria-label={t("runs.page.raw")}>
      <ol style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const event = events[index];
          if (!event) return null;
          const isOpen = open === event.seq;
          return (
            <li
              key={event.seq}
              ref={list.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start}px)` }}
            >
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => turn(isOpen ? undefined : event.seq)}
              >
                <span>{event.seq}</span>
                {event.kind}
              </button>
              {isOpen && <pre>{JSON.stringify(event, null, 2)}</pre>}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
