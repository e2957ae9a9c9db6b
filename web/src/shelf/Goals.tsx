import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import type { WritingProgress } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { TextField } from "../parts/Field";
import { useNumbers } from "../parts/numbers";
import { Asked, Failed } from "../parts/states";
import { useChangeSettings } from "../settings/changes";
import styles from "./Goals.module.css";
import { goalOf, yearOf } from "./goals";

const progressKey = (project: string) => [...keys.project(project), "progress"];

/** The goals of a book, the words of each day, and the streak. */
export function Goals({ project }: { project: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: progressKey(project),
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/progress", {
          params: { path: { project }, query: { utc_offset: -new Date().getTimezoneOffset() } },
        }),
      ),
  });
  return (
    <section aria-label={t("shelf.goals.title")} className={styles.goals}>
      <h2>{t("shelf.goals.title")}</h2>
      <Asked query={query}>{(progress) => <Shown project={project} progress={progress} />}</Asked>
    </section>
  );
}

function Shown({ project, progress }: { project: string; progress: WritingProgress }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const [isEdited, edit] = useState(false);
  const { day_goal, book_goal, written_today, length, streak, longest_streak } = progress;
  return (
    <>
      <dl className={styles.figures}>
        <Goal name={t("shelf.goals.today")} value={written_today} goal={day_goal ?? null} />
        <Goal name={t("shelf.goals.book")} value={length} goal={book_goal ?? null} />
        <div>
          <dt>{t("shelf.goals.streak")}</dt>
          <dd>{whole(streak)}</dd>
          <dd>
            <Dim>{t("shelf.goals.longest", { days: whole(longest_streak) })}</Dim>
          </dd>
        </div>
      </dl>
      <Year progress={progress} />
      <Dim>{t("shelf.goals.about")}</Dim>
      {isEdited ? (
        <Edit project={project} progress={progress} onClose={() => edit(false)} />
      ) : (
        <div>
          <Button onClick={() => edit(true)}>{t("shelf.goals.set")}</Button>
        </div>
      )}
    </>
  );
}

function Goal({ name, value, goal }: { name: string; value: number; goal: number | null }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{whole(value)}</dd>
      <dd>
        {goal === null ? (
          <Dim>{t("shelf.goals.no_goal")}</Dim>
        ) : (
          <>
            <progress value={Math.max(0, Math.min(value, goal))} max={goal} aria-label={name} />
            <Dim>{t("shelf.goals.of", { goal: whole(goal) })}</Dim>
          </>
        )}
      </dd>
    </div>
  );
}

/** Every day of the year as a square, darker the more was written. */
function Year({ progress }: { progress: WritingProgress }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const weeks = yearOf(progress.days, progress.today, progress.day_goal ?? null);
  const total = progress.days.reduce((sum, { hand }) => sum + hand, 0);
  return (
    <div
      className={styles.year}
      role="img"
      aria-label={t("shelf.goals.year", { words: whole(total), days: progress.days.length })}
    >
      {weeks.toReversed().map((week) => (
        <div key={week[0]?.date} className={styles.week}>
          {week.map(({ date, hand, agents, level }) => (
            <span
              key={date}
              data-level={level}
              title={t(agents === 0 ? "shelf.goals.day" : "shelf.goals.day_agents", {
                date,
                words: whole(hand),
                agents: whole(agents),
              })}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

type EditProps = { project: string; progress: WritingProgress; onClose(): void };

function Edit({ project, progress, onClose }: EditProps) {
  const { t } = useTranslation();
  const [day, setDay] = useState(String(progress.day_goal ?? ""));
  const [book, setBook] = useState(String(progress.book_goal ?? ""));
  const change = useChangeSettings(project);
  const goals = { "goals.day": goalOf(day), "goals.book": goalOf(book) };
  const isBad = Object.values(goals).includes(undefined);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const held = { "goals.day": progress.day_goal ?? 0, "goals.book": progress.book_goal ?? 0 };
    const steps = (["goals.day", "goals.book"] as const)
      .filter((key) => goals[key] !== held[key])
      .map((key) => (goals[key] ? { key, value: goals[key] } : { key }));
    const onSuccess = () => {
      void queries.invalidateQueries({ queryKey: progressKey(project) });
      onClose();
    };
    change.mutate(steps, { onSuccess });
  };
  return (
    <form className={styles.edit} onSubmit={submit}>
      <TextField
        label={t("shelf.goals.day_goal")}
        inputMode="numeric"
        value={day}
        onChange={(event) => setDay(event.target.value)}
      />
      <TextField
        label={t("shelf.goals.book_goal")}
        inputMode="numeric"
        value={book}
        onChange={(event) => setBook(event.target.value)}
      />
      <Button type="submit" kind="main" disabled={isBad || change.isPending}>
        {t("common.save")}
      </Button>
      <Button kind="plain" onClick={onClose}>
        {t("common.cancel")}
      </Button>
      {isBad && <p role="alert">{t("shelf.goals.bad")}</p>}
      {change.error && <Failed error={change.error} />}
    </form>
  );
}
