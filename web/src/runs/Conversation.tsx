import { Fragment, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { RunRow, TaskOutput } from "../api/schema";
import { useDates } from "../parts/dates";
import { useNumbers } from "../parts/numbers";
import { Failed } from "../parts/states";
import { at } from "../shell/places";
import { addressOfAnchor, anchorOfSource } from "./anchors";
import styles from "./Conversation.module.css";
import { onText } from "./deltas";
import { progressOf } from "./feed";
import { useOutcome } from "./follow";
import { Keeping } from "./Keeping";
import { useNames } from "./names";
import { Status } from "./Status";
import type { RunState } from "./state";
import { type Asked, useTalk } from "./talk";

type Props = { project: string; rows: readonly RunRow[]; run: string | undefined; state: RunState };

const SHOWN = 8;
const NONE: readonly Asked[] = [];

/** What was said and what came of it: the last runs and the questions to the book, by time. */
export function Conversation({ project, rows, run, state }: Props) {
  const { t } = useTranslation();
  const asked = useTalk((talk) => talk.asked[project]) ?? NONE;
  const shown = rows.filter((row, index) => index < SHOWN || row.run === run);
  const turns = [
    ...shown.map((row) => ({ at: row.started, key: row.run, row, one: undefined })),
    ...asked.map((one) => ({ at: one.at, key: one.id, row: undefined, one })),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  return (
    <ol className={styles.talk}>
      {rows.length > shown.length && (
        <li className={styles.more}>
          <Link href={at.place(project, "runs")}>{t("runs.talk.more")}</Link>
        </li>
      )}
      {turns.map(({ key, row, one }) => (
        <li key={key} className={styles.turn}>
          {row && <RunTurn project={project} row={row} state={row.run === run ? state : undefined} />}
          {one && <AskedTurn project={project} asked={one} />}
        </li>
      ))}
    </ol>
  );
}

function Mine({ children, note }: { children: string; note?: string }) {
  return (
    <div className={styles.mine}>
      {note && <small>{note}</small>}
      <p>{children}</p>
    </div>
  );
}

function RunTurn({ project, row, state }: { project: string; row: RunRow; state: RunState | undefined }) {
  const { t } = useTranslation();
  const { task } = useNames();
  const { ago } = useDates();
  return (
    <>
      <Mine>{task(row.requirement) || t("runs.untitled")}</Mine>
      {state ? (
        <Live project={project} row={row} state={state} />
      ) : (
        <Link href={at.run(project, row.run)} className={styles.past}>
          <Status status={row.status} />
          {row.quality_score != null && <span>{t("runs.score_of", { score: row.quality_score })}</span>}
          <span>{ago(row.ended ?? row.started)}</span>
        </Link>
      )}
    </>
  );
}

/** What the run that is watched says. */
function Live({ project, row, state }: { project: string; row: RunRow; state: RunState }) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const working = state.work.filter((work) => work.status === "running");
  const progress = progressOf(state);
  return (
    <div className={styles.theirs}>
      <Said project={project} run={row.run} />
      {state.status === "running" && (
        <>
          {working.map((work) => (
            <p key={work.seq} className={styles.working}>
              <strong>{agent(work.agent)}</strong> {work.task}
            </p>
          ))}
          {working.length === 0 && <p className={styles.working}>{t("runs.talk.working")}</p>}
          <Streamed project={project} run={row.run} />
        </>
      )}
      <p className={styles.end}>
        <Status status={state.seq > 0 ? state.status : row.status} />
        {progress && <span>{t("runs.progress", progress)}</span>}
        {state.summary?.quality_score != null && (
          <span>{t("runs.score_of", { score: state.summary.quality_score })}</span>
        )}
        <Link href={at.run(project, row.run)}>{t("runs.open")}</Link>
      </p>
    </div>
  );
}

/** What came of a run in words: what was said, or the answer. */
function Said({ project, run }: { project: string; run: string }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const { data } = useOutcome(run);
  if (!data || data.made === "nothing") return null;
  const { made } = data;
  if ("content" in made) {
    return made.content.messages.map((message, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: what was said is only added to
      <Fragment key={index}>
        <p className={message.who === "user" ? styles.said : styles.told}>{message.text}</p>
        {message.who !== "user" && <Keeping project={project} text={message.text ?? ""} />}
      </Fragment>
    ));
  }
  if ("task" in made) {
    if (!made.task.output) return null;
    return (
      <>
        <p className={styles.told}>{made.task.output}</p>
        <Keeping project={project} text={writtenIn(made.task)} />
      </>
    );
  }
  if ("book" in made) {
    const { chapters, briefs, has_failed, answer } = made.book;
    const words = chapters.reduce((sum, chapter) => sum + (chapter.words ?? 0), 0);
    if (has_failed) return <p className={styles.broken}>{answer}</p>;
    if (chapters.length > 0) {
      return (
        <p className={styles.told}>
          {t("runs.talk.chapters_done", { count: chapters.length, words: whole(words) })}
        </p>
      );
    }
    return briefs.length > 0 ? (
      <p className={styles.told}>{t("runs.talk.briefs_done", { count: briefs.length })}</p>
    ) : null;
  }
  return null;
}

/** The prose that a task wrote where it wrote some, without what was said about it; else all that was said. */
function writtenIn({ results, output }: TaskOutput): string {
  const proposals = Object.values(results).flatMap(({ result }) => result?.metadata?.proposal ?? []);
  const words = proposals.flatMap(({ spans = [] }) => spans.map(({ after }) => after.trim()));
  return words.filter(Boolean).join("\n\n") || output;
}

/** How much of the streamed text stays in sight. */
const IN_SIGHT = 600;

/** The text as it comes, painted past React; it is gone once the run has gone on. */
function Streamed({ project, run }: { project: string; run: string }) {
  const { t } = useTranslation();
  const place = useRef<HTMLParagraphElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run begins with an empty place
  useEffect(() => {
    const painted = place.current;
    if (!painted) return;
    painted.textContent = "";
    let agent = "";
    return onText((delta) => {
      if (delta.project !== project) return;
      const before = delta.agent === agent ? (painted.textContent ?? "") : "";
      agent = delta.agent;
      painted.textContent = (before + delta.text).slice(-IN_SIGHT);
    });
  }, [project, run]);
  return <p ref={place} className={styles.streamed} aria-live="off" title={t("runs.talk.streaming")} />;
}

function AskedTurn({ project, asked }: { project: string; asked: Asked }) {
  const { t } = useTranslation();
  const { answered, failure } = asked;
  return (
    <>
      <Mine note={t("runs.talk.asked")}>{asked.question}</Mine>
      <div className={styles.theirs}>
        {failure !== undefined && <Failed error={failure} />}
        {!answered && failure === undefined && <p className={styles.working}>{t("runs.talk.thinking")}</p>}
        {answered && <Answer project={project} answered={answered} />}
      </div>
    </>
  );
}

const SOURCES = 4;

function Answer({ project, answered }: { project: string; answered: NonNullable<Asked["answered"]> }) {
  const { t } = useTranslation();
  const cited = new Set(answered.citations.map((citation) => citation.number));
  const passages = [...answered.passages].sort(
    (a, b) => Number(cited.has(b.number)) - Number(cited.has(a.number)),
  );
  const shown = passages.slice(0, Math.max(SOURCES, cited.size));
  return (
    <>
      <p className={styles.told}>{answered.answer || t("runs.talk.not_held")}</p>
      {answered.answer && <Keeping project={project} text={answered.answer} />}
      {!answered.read_by_model && <p className={styles.note}>{t("runs.talk.by_rules")}</p>}
      {shown.length > 0 && (
        <ol className={styles.sources} aria-label={t("runs.talk.sources")}>
          {shown.map((passage) => {
            const { book } = passage;
            const address = addressOfAnchor(
              book?.project ?? project,
              anchorOfSource(passage.citation.source),
            );
            const quote = answered.citations.find((one) => one.number === passage.number)?.quote;
            return (
              <li key={passage.number} value={passage.number}>
                <details>
                  <summary>
                    <span className={styles.number}>{passage.number}</span>
                    {address ? <Link href={address}>{passage.heading}</Link> : passage.heading}
                    {book && (
                      <span className={styles.note}>{t("runs.talk.of_book", { title: book.title })}</span>
                    )}
                    {passage.telling?.state === "told" && (
                      <span className={styles.note}>
                        {t("runs.talk.told", { chapter: passage.telling.chapter })}
                      </span>
                    )}
                    {passage.telling?.state === "planned" && (
                      <span className={styles.note}>{t("runs.talk.planned")}</span>
                    )}
                    {passage.telling?.state === "hidden" && (
                      <span className={styles.note}>{t("runs.talk.hidden")}</span>
                    )}
                  </summary>
                  <blockquote>{quote || passage.text}</blockquote>
                </details>
              </li>
            );
          })}
        </ol>
      )}
      {answered.left_out > 0 && (
        <p className={styles.note}>{t("runs.talk.left_out", { count: answered.left_out })}</p>
      )}
    </>
  );
}
