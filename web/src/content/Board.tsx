import { Check, Circle, CircleDot, Loader, RotateCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { PhaseRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Segments } from "../settings/parts/parts";
import { at } from "../shell/places";
import styles from "./Board.module.css";
import {
  type FieldRow,
  isAtWork,
  type PhaseState,
  phaseState,
  type useConfirm,
  type useOrder,
  type View,
} from "./production";
import { StatusTag } from "./StatusTag";

const marks = {
  done: Check,
  stale: RotateCw,
  working: Loader,
  now: CircleDot,
  begun: CircleDot,
  empty: Circle,
} satisfies Record<PhaseState, typeof Check>;

type Doing = { order: ReturnType<typeof useOrder>; confirm: ReturnType<typeof useConfirm> };

/** The phases of a production from first to last, each with its fields. */
export function Board({ view, doing }: { view: View; doing: Doing }) {
  return (
    <ol className={styles.board}>
      {view.phases.map((phase) => (
        <Phase key={phase.name} phase={phase} view={view} doing={doing} />
      ))}
    </ol>
  );
}

function Phase({ phase, view, doing }: { phase: PhaseRow; view: View; doing: Doing }) {
  const { t } = useTranslation();
  const state = phaseState(phase, view);
  const Mark = marks[state];
  const name = phase.name ?? "";
  const fields = view.fields.filter((field) => field.phase === name);
  const isBusy = isAtWork(view) || doing.order.isPending || doing.confirm.isPending;
  return (
    <li className={styles.phase} data-state={state}>
      <span className={styles.mark} title={t(`content.phase.${state}`)}>
        <Mark size={14} aria-hidden />
      </span>
      <header>
        <h2>{phase.title || name}</h2>
        <span className={styles.stand}>
          {t(`content.kind.${phase.kind ?? "make"}`)} · {t(`content.phase.${state}`)}
        </span>
        <Segments
          label={t("content.autonomy.label", { phase: phase.title || name })}
          value={phase.autonomy ?? "wait"}
          options={[
            ["wait", t("content.autonomy.wait")],
            ["auto", t("content.autonomy.auto")],
          ]}
          isDisabled={isBusy}
          onChange={(how) => doing.order.mutate({ do: "autonomy", phases: [[name, how]] })}
        />
      </header>
      {fields.length === 0 && <p className={styles.stand}>{t("content.no_fields")}</p>}
      <ul className={styles.fields}>
        {fields.map((field) => (
          <Field key={field.path} field={field} view={view} />
        ))}
      </ul>
      <Acts fields={fields} isBusy={isBusy} doing={doing} />
    </li>
  );
}

function Field({ field, view }: { field: FieldRow; view: View }) {
  const { t } = useTranslation();
  const because = useReasons(view)(field);
  return (
    <li>
      <Link href={at.field(view.project, field.path)}>
        <span className={styles.name}>{field.title || field.path}</span>
        {field.status === "stale" && because && <span className={styles.because}>{because}</span>}
        {field.length > 0 && (
          <span className={styles.figure}>{t("common.characters", { count: field.length })}</span>
        )}
        {field.version > 0 && <span className={styles.figure}>v{field.version}</span>}
        <StatusTag status={field.status} />
      </Link>
    </li>
  );
}

/** Why a field is stale: the titles of what it was made from and is not the same any more. */
export function useReasons(view: View): (field: FieldRow) => string | undefined {
  const { t } = useTranslation();
  const title = (reference: string) =>
    view.fields.find((field) => reference === field.path || reference.startsWith(`${field.path}#`))?.title ??
    reference;
  return ({ because }) => {
    if (!because || because.length === 0) return undefined;
    const titles = [...new Set(because.map(title))];
    return t("content.because", { titles: titles.join(t("content.and")) });
  };
}

function Acts({ fields, isBusy, doing }: { fields: readonly FieldRow[]; isBusy: boolean; doing: Doing }) {
  const { t } = useTranslation();
  const paths = (...wanted: FieldRow["status"][]) =>
    fields.filter((field) => wanted.includes(field.status)).map((field) => field.path);
  const [empty, stale, draft] = [paths("empty"), paths("stale"), paths("draft")];
  const make = (wanted: string[]) => () => doing.order.mutate({ do: "make", fields: wanted });
  if (empty.length + stale.length + draft.length === 0) return undefined;
  return (
    <div className={styles.acts}>
      {empty.length > 0 && (
        <Button disabled={isBusy} onClick={make(empty)}>
          {t("content.make_empty", { count: empty.length })}
        </Button>
      )}
      {stale.length > 0 && (
        <Button disabled={isBusy} onClick={make(stale)}>
          {t("content.make_stale", { count: stale.length })}
        </Button>
      )}
      {draft.length > 0 && (
        <Button disabled={isBusy} onClick={() => doing.confirm.mutate(draft)}>
          {t("content.confirm_drafts", { count: draft.length })}
        </Button>
      )}
    </div>
  );
}
