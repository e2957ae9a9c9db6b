import { Check, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useDates } from "../parts/dates";
import { useNumbers } from "../parts/numbers";
import { useNow } from "./clock";
import styles from "./Feed.module.css";
import { useNames } from "./names";
import { Reasoning } from "./Reasoning";
import { Dot } from "./Status";
import type { Call, Work } from "./state";

type Props = {
  work: Work;
  calls: ReadonlyMap<string, Call>;
  /** Whether how it came about is shown at once. */
  isWhole?: boolean;
};

/** What one agent did: its task, what it looked up, what came of it. */
export function WorkLine({ work, calls, isWhole = false }: Props) {
  const { t } = useTranslation();
  const { agent, word } = useNames();
  const { lasting } = useDates();
  const { short } = useNumbers();
  const now = useNow(work.status === "running");
  const millis = (work.to ? Date.parse(work.to) : now) - Date.parse(work.from);
  return (
    <section className={styles.work} data-status={work.status}>
      <header>
        <Dot status={work.status} />
        <strong>{agent(work.agent)}</strong>
        {work.mode && work.mode !== "generate" && <small>{word("mode", work.mode)}</small>}
        <span className={styles.figures}>
          {work.tokens > 0 && (
            <span>{t("runs.tokens_of", { count: work.tokens, replace: { count: short(work.tokens) } })}</span>
          )}
          {(millis >= 1_000 || work.status === "running") && <span>{lasting(millis)}</span>}
        </span>
      </header>
      <p className={styles.task}>{work.task}</p>
      {work.actions.length > 0 && <p className={styles.task}>{work.actions.join(" → ")}</p>}
      <Tools work={work} />
      {work.summary && <p className={work.status === "failed" ? styles.broken : undefined}>{work.summary}</p>}
      <Pieces pieces={work.pieces} />
      <Reasoning lines={work.reasoning} isOpen={isWhole} />
      <Calls work={work} calls={calls} />
    </section>
  );
}

function Tools({ work }: { work: Work }) {
  const { t } = useTranslation();
  if (work.tools.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t("runs.page.tools")}>
      {work.tools.map((use) => (
        <li key={use.seq} className={styles.tool}>
          {use.isSuccess ? <Check size={12} aria-hidden /> : <X size={12} aria-hidden />}
          {use.tool}
          <small>{use.isSuccess ? `${use.millis} ms` : t("runs.tool_failed")}</small>
        </li>
      ))}
    </ul>
  );
}

const FEW = 8;

function Pieces({ pieces }: { pieces: string[] }) {
  const { t } = useTranslation();
  if (pieces.length === 0) return null;
  const chips = (
    <ul className={styles.chips}>
      {pieces.map((piece, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pieces may have one name, and the list never changes
        <li key={`${index} ${piece}`}>{piece}</li>
      ))}
    </ul>
  );
  if (pieces.length <= FEW) return chips;
  return (
    <details className={styles.details}>
      <summary>{t("runs.show_pieces", { count: pieces.length })}</summary>
      {chips}
    </details>
  );
}

function Calls({ work, calls }: { work: Work; calls: ReadonlyMap<string, Call> }) {
  const { t } = useTranslation();
  const made = work.calls.flatMap((key) => calls.get(key) ?? []);
  if (made.length < 2) return null;
  return (
    <details className={styles.details}>
      <summary>{t("runs.calls_of", { count: made.length })}</summary>
      {made.map((call) => (
        <p key={call.key}>{t("runs.page.called", { purpose: call.purpose, model: call.model })}</p>
      ))}
    </details>
  );
}
