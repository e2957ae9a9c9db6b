import { useQuery } from "@tanstack/react-query";
import { Star } from "lucide-react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/queries";
import { Dim } from "../parts/Card";
import { Asked } from "../parts/states";
import { language } from "../words";
import styles from "./Arc.module.css";
import { type Arc, arcOf, type Stage } from "./arc";
import type { Book } from "./book";
import { useFactWords } from "./facts";
import { More } from "./More";
import { ChapterLink, Name, PieceLink, Section } from "./parts";
import { callTool } from "./tools";

type Props = { project: string; book: Book; character: string };

const SHOWN = 12;

/** How one of the cast changes: what happens to them and what turns, where they are missing, what is said otherwise later. */
export function CharacterArc({ project, book, character }: Props) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: [...keys.project(project), "arc", character, language()],
    queryFn: async () =>
      arcOf(await callTool(project, "character_tool", { action: "analyze_arc", character_id: character })),
  });
  return (
    <Section title={t("story.arc.title")}>
      <Asked query={query}>{(arc) => <Shown project={project} book={book} arc={arc} />}</Asked>
    </Section>
  );
}

function Shown({ project, book, arc }: { project: string; book: Book; arc: Arc }) {
  const { t } = useTranslation();
  return (
    <>
      {arc.observations.length > 0 && (
        <ul className={styles.observations}>
          {arc.observations.map((words) => (
            <li key={words}>{words}</li>
          ))}
        </ul>
      )}
      {arc.of > 0 && <Presence arc={arc} />}
      {arc.stages.length === 0 && <Dim>{t("story.arc.nothing")}</Dim>}
      <More items={arc.stages} step={SHOWN} within={(rows) => <ol className={styles.stages}>{rows}</ol>}>
        {(stage) => (
          <li key={stage.chapter} data-turns={stage.turns.length > 0}>
            <OneStage project={project} book={book} stage={stage} />
          </li>
        )}
      </More>
      <Shifts arc={arc} />
    </>
  );
}

function Presence({ arc: { present, of, thirds, absence } }: { arc: Arc }) {
  const { t } = useTranslation();
  return (
    <p className={styles.presence}>
      {t("story.arc.presence", { present, of, count: of })}
      {thirds.length === 3 &&
        ` · ${t("story.arc.thirds", { first: thirds[0], second: thirds[1], third: thirds[2] })}`}
      {absence &&
        ` · ${t("story.arc.absence", { count: absence.chapters, after: absence.after, until: absence.until })}`}
    </p>
  );
}

function OneStage({ project, book, stage }: { project: string; book: Book; stage: Stage }) {
  const { t, i18n } = useTranslation();
  const { chapter, goal, events, turns, relations } = stage;
  const typeOf = (type: string) => {
    const key = `story.relation.${type}`;
    return i18n.exists(key) ? String(t(key as "story.relation.friend")) : type;
  };
  return (
    <>
      <ChapterLink project={project} book={book} number={chapter} />
      <div>
        {turns.map((title) => (
          <p key={title} className={styles.turn}>
            <Star size={13} aria-hidden />
            <span className="unseen">{t("story.arc.turn")} </span>
            <strong>{title}</strong>
          </p>
        ))}
        {events.length > 0 && (
          <p>
            {events.map(({ id, title }, index) => (
              <span key={id || title}>
                {index > 0 && " · "}
                <PieceLink project={project} piece={{ kind: "event", id, name: title }} />
              </span>
            ))}
          </p>
        )}
        {relations.map(({ begins, other, type }) => (
          <p key={`${begins} ${other} ${type}`}>
            {t(begins ? "story.arc.begins" : "story.arc.ends")}
            <Name project={project} book={book} name={other} /> <Dim>{typeOf(type)}</Dim>
          </p>
        ))}
        {goal && <Dim>{goal}</Dim>}
      </div>
    </>
  );
}

function Shifts({ arc: { shifts } }: { arc: Arc }) {
  const { t } = useTranslation();
  const { predicate } = useFactWords();
  if (shifts.length === 0) return null;
  return (
    <>
      <h3 className={styles.heading}>{t("story.arc.shifts")}</h3>
      <dl className={styles.shifts}>
        {shifts.map((shift) => (
          <div key={shift.predicate}>
            <dt>{predicate(shift.predicate)}</dt>
            <dd>
              {shift.values.map(({ value, from }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: one value may come back, and the order never changes
                <span key={index}>
                  {index > 0 && <span aria-hidden> → </span>}
                  {value}
                  {from && <Dim> ({from})</Dim>}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </>
  );
}
