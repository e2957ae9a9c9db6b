import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { ChapterLine } from "../ChapterLine";
import { PhaseLine } from "../PhaseLine";
import type { RunState } from "../state";
import styles from "./RunPage.module.css";
import { Section } from "./Section";

type Props = { project: string; state: RunState };

/** How far each phase of a production is, and each field of it. */
export function Phases({ project, state }: Props) {
  const { t } = useTranslation();
  if (state.phases.length === 0) return null;
  return (
    <Section title={t("runs.page.phases")}>
      <div className={styles.grid}>
        {state.phases.map((phase, index) => (
          <PhaseLine
            key={phase.phase}
            project={project}
            phase={phase}
            isLast={index === state.phases.length - 1 && state.status === "running"}
          />
        ))}
      </div>
    </Section>
  );
}

/** More chapters than this are drawn only as far as they are in sight. */
const MANY = 24;

/** How far each chapter is. */
export function Chapters({ project, state }: Props) {
  const { t } = useTranslation();
  if (state.chapters.length === 0) return null;
  return (
    <Section title={t("runs.page.chapters")}>
      {state.chapters.length > MANY ? (
        <ManyChapters project={project} state={state} />
      ) : (
        <div className={styles.split}>
          {state.chapters.map((chapter) => (
            <ChapterLine key={chapter.chapter} project={project} chapter={chapter} />
          ))}
        </div>
      )}
    </Section>
  );
}

const ESTIMATED = 74;

function ManyChapters({ project, state }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: state.chapters.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ESTIMATED,
    overscan: 6,
  });
  return (
    <div ref={frame} className={styles.virtual}>
      <ol style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const chapter = state.chapters[index];
          return (
            chapter && (
              <li
                key={chapter.chapter}
                ref={list.measureElement}
                data-index={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                <ChapterLine project={project} chapter={chapter} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}
