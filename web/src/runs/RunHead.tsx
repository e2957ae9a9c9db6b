import { Play, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { RunRow } from "../api/schema";
import { Button } from "../parts/Button";
import { useDates } from "../parts/dates";
import { TextField } from "../parts/Field";
import { useNumbers } from "../parts/numbers";
import { Failed, ProblemHelp, useProblemText } from "../parts/states";
import { at } from "../shell/places";
import { useNow } from "./clock";
import { limitOf, overridesOf, problemOf } from "./failure";
import { progressOf, workedMillis } from "./feed";
import { useCancel, useChosen, useResume } from "./follow";
import { useNames } from "./names";
import styles from "./RunHead.module.css";
import { Status } from "./Status";
import type { RunState } from "./state";
import { useWatched } from "./watch";

type Props = { project: string; rows: readonly RunRow[]; row: RunRow; state: RunState };

/** Which run it is, how it stands, what it cost, and how to stop it or go on. */
export function RunHead({ project, rows, row, state }: Props) {
  const { t } = useTranslation();
  const { task } = useNames();
  const status = state.seq > 0 ? state.status : row.status;
  return (
    <header className={styles.head}>
      <div className={styles.line}>
        <Status status={status} />
        <Link href={at.run(project, row.run)} className={styles.name} title={t("runs.open")}>
          {task(row.requirement) || t("runs.untitled")}
        </Link>
        <RunPicker project={project} rows={rows} row={row} />
      </div>
      <div className={styles.line}>
        <RunFigures row={row} state={state} />
        <RunActions project={project} run={row.run} status={status} />
      </div>
      <Progress state={state} />
      <LineNote />
    </header>
  );
}

function RunPicker({ project, rows, row }: Omit<Props, "state">) {
  const { t } = useTranslation();
  const { task } = useNames();
  const { ago } = useDates();
  const choose = useChosen((all) => all.choose);
  if (rows.length < 2) return null;
  return (
    <select
      className={styles.picker}
      aria-label={t("runs.pick")}
      value={row.run}
      onChange={(event) =>
        choose(project, event.target.value === rows[0]?.run ? undefined : event.target.value)
      }
    >
      {rows.slice(0, 50).map((one) => (
        <option key={one.run} value={one.run}>
          {`${t(`runs.status.${one.status}`)} · ${task(one.requirement).slice(0, 24)} · ${ago(one.started)}`}
        </option>
      ))}
    </select>
  );
}

/** Time, tokens and price so far. */
export function RunFigures({ row, state }: Pick<Props, "row" | "state">) {
  const { t } = useTranslation();
  const { lasting } = useDates();
  const { short, price } = useNumbers();
  const now = useNow(state.status === "running" && state.seq > 0);
  const millis = workedMillis(state.attempts, now);
  const { tally } = state;
  const currency = row.usage.cost?.currency;
  const cost =
    tally.micros !== undefined && currency ? price({ cost: { currency, micros: tally.micros } }) : undefined;
  return (
    <span className={styles.figures}>
      <span title={t("runs.elapsed")}>{millis < 1_000 ? t("runs.moment") : lasting(millis)}</span>
      <span title={tally.isEstimated ? t("runs.estimated") : undefined}>
        {tally.isEstimated && "≈ "}
        {t("runs.tokens_of", { count: tally.total, replace: { count: short(tally.total) } })}
      </span>
      {cost !== undefined && <span title={t("runs.cost")}>{cost}</span>}
    </span>
  );
}

export function RunActions({
  project,
  run,
  status,
}: {
  project: string;
  run: string;
  status: RunState["status"];
}) {
  const { t } = useTranslation();
  const cancel = useCancel(run);
  const { resume, isPending } = useResume(project, run);
  if (status === "running") {
    return (
      <Button onClick={() => cancel.mutate()} disabled={cancel.isPending}>
        <Square size={12} aria-hidden />
        {cancel.isPending ? t("runs.stopping") : t("runs.stop")}
      </Button>
    );
  }
  if (status === "failed" || status === "interrupted") {
    return (
      <Button onClick={() => resume()} disabled={isPending}>
        <Play size={12} aria-hidden />
        {t("runs.resume")}
      </Button>
    );
  }
  return null;
}

function Progress({ state }: { state: RunState }) {
  const { t } = useTranslation();
  const progress = progressOf(state);
  if (!progress || state.status === "done") return null;
  return (
    <div
      className={styles.progress}
      role="progressbar"
      aria-valuemin={0}
      aria-valuemax={progress.of}
      aria-valuenow={progress.done}
      aria-label={t("runs.progress", progress)}
    >
      <span style={{ width: `${(100 * progress.done) / progress.of}%` }} />
    </div>
  );
}

function LineNote() {
  const { t } = useTranslation();
  const { line, isOver, refusal } = useWatched();
  if (refusal !== undefined) return <Failed error={refusal} />;
  if (line === "open" || isOver) return null;
  return (
    <p className={styles.lost} role="status">
      {t("runs.lost")}
    </p>
  );
}

/** Why a run failed, and how to go on: with a higher limit, where a limit was reached. */
export function FailureNote({ project, state }: { project: string; state: RunState }) {
  const { t } = useTranslation();
  const say = useProblemText();
  const { resume, isPending, error } = useResume(project, state.run);
  const [amount, type] = useState("");
  const { failure } = state;
  if (state.status !== "failed" || !failure) return null;
  const problem = problemOf(failure);
  const setting = limitOf(failure);
  const limit = Number(amount);
  return (
    <div className={styles.failure} role="alert">
      <strong>{t("runs.failed_title")}</strong>
      <p>{say(problem)}</p>
      <ProblemHelp error={problem} />
      {setting !== undefined && (
        <div className={styles.raise}>
          <TextField
            label={t("runs.raise")}
            inputMode="decimal"
            value={amount}
            onChange={(event) => type(event.target.value)}
          />
          <Button
            disabled={!(limit > 0) || isPending}
            onClick={() => resume({ overrides: overridesOf(setting, limit) })}
          >
            {t("runs.raise_go")}
          </Button>
        </div>
      )}
      {error && <p>{say(error)}</p>}
    </div>
  );
}
