import { ChevronLeft, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { FieldView } from "../api/schema";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { Told } from "../settings/parts/Told";
import { useRoleName } from "../settings/roles";
import { at } from "../shell/places";
import { useReasons } from "./Board";
import { draftOf } from "./drafts";
import { FieldEditor } from "./FieldEditor";
import styles from "./FieldPage.module.css";
import { MakeAgain } from "./MakeAgain";
import { Prose } from "./Prose";
import { isAtWork, neighbours, pathOf, useConfirm, useField, useOrder, type View } from "./production";
import { isReport, Report } from "./Report";
import { Standing } from "./Standing";
import { StatusTag } from "./StatusTag";
import { ValueTree } from "./ValueTree";
import { isText } from "./value";

/** One field: what it says, what it was made from, and what can be done with it. */
export function FieldPage({ view, path }: { view: View; path: string }) {
  const row = view.fields.find((field) => field.path === path);
  // The version is part of what is asked, so that a field which a run has made anew is read again.
  const query = useField(view.project, path, row?.version ?? 0);
  return <Asked query={query}>{(field) => <Found view={view} field={field} />}</Asked>;
}

function Found({ view, field }: { view: View; field: FieldView }) {
  const { t } = useTranslation();
  const path = field.path ?? "";
  const [isEditing, edit] = useState(() => draftOf(view.project, path) !== undefined);
  const order = useOrder(view.project);
  const confirm = useConfirm(view.project);
  const row = view.fields.find((other) => other.path === path);
  // The board is asked for more often than the field.
  const status = row?.status ?? field.status;
  const phase = view.phases.find((other) => other.name === field.phase);
  const because = useReasons(view)(row ?? { ...blank, path });
  const isBusy = isAtWork(view) || order.isPending || confirm.isPending;
  const isToConfirm = status === "draft" || status === "stale";
  return (
    <Page
      title={field.title || path}
      actions={
        !isEditing && (
          <>
            {isToConfirm && (
              <Button disabled={isBusy} onClick={() => confirm.mutate([path])}>
                {t("content.confirm")}
              </Button>
            )}
            <Button kind={status === "empty" ? undefined : "main"} onClick={() => edit(true)}>
              {status === "empty" ? t("content.write") : t("common.edit")}
            </Button>
          </>
        )
      }
    >
      <nav className={styles.way} aria-label={t("shell.nav.content")}>
        <Link href={at.place(view.project, "content")}>{t("shell.nav.content")}</Link>
        <span aria-hidden>›</span>
        <span>{phase?.title || field.phase}</span>
      </nav>
      <p className={styles.marks}>
        <StatusTag status={status} />
        <Maker field={field} />
        {(field.version ?? 0) > 0 && <span>{t("content.version", { version: field.version })}</span>}
        {row !== undefined && row.length > 0 && <span>{t("common.characters", { count: row.length })}</span>}
      </p>
      {field.guidance && <p className={styles.guidance}>{field.guidance}</p>}
      <Told error={order.error ?? confirm.error} />
      <Standing view={view} />
      {status === "stale" && (
        <div className={styles.stale} role="note">
          <span>{because ?? t("content.because_unknown")}</span>
          <Button disabled={isBusy} onClick={() => order.mutate({ do: "make", fields: [path] })}>
            {t("content.make_again")}
          </Button>
        </div>
      )}
      {isEditing ? (
        <FieldEditor project={view.project} field={field} onClose={() => edit(false)} />
      ) : (
        <Value field={field} isBusy={isBusy} onMake={() => order.mutate({ do: "make", fields: [path] })} />
      )}
      {!isEditing && status !== "empty" && (
        <MakeAgain
          isReport={isReport(field.value)}
          isBusy={isBusy}
          onMake={(instruction, isChange) =>
            order.mutate({ do: "make", fields: [path], instruction, is_change: isChange })
          }
        />
      )}
      <Ties view={view} title={t("content.made_from")} references={field.depends_on ?? []} />
      <Ties view={view} title={t("content.dependents")} references={field.dependents} />
      <Neighbours view={view} path={path} />
    </Page>
  );
}

const blank = { title: "", phase: "", status: "empty" as const, version: 0, length: 0, depends_on: [] };

/** Who made the value, and with which model. */
function Maker({ field: { made_by: maker } }: { field: FieldView }) {
  const { t } = useTranslation();
  const role = useRoleName();
  if (!maker) return undefined;
  if (maker.agent === "person") return <span>{t("content.author")}</span>;
  return <span>{[role(maker.agent ?? ""), maker.model].filter(Boolean).join(" · ")}</span>;
}

function Value({ field, isBusy, onMake }: { field: FieldView; isBusy: boolean; onMake: () => void }) {
  const { t } = useTranslation();
  if (field.value === null || field.value === undefined) {
    return (
      <Empty title={t("content.no_value")}>
        <Button kind="main" disabled={isBusy} onClick={onMake}>
          {t("content.make")}
        </Button>
      </Empty>
    );
  }
  return (
    <article className={styles.value}>
      {isReport(field.value) ? (
        <Report value={field.value} />
      ) : isText(field.schema, field.value) ? (
        <Prose text={field.text} />
      ) : (
        <ValueTree value={field.value} schema={field.schema} />
      )}
    </article>
  );
}

/** Fields that this one has to do with, folded. */
function Ties({ view, title, references }: { view: View; title: string; references: string[] }) {
  const paths = [...new Set(references.map(pathOf))];
  const known = paths.flatMap((path) => view.fields.find((field) => field.path === path) ?? []);
  if (known.length === 0) return undefined;
  return (
    <details className={styles.ties}>
      <summary>
        {title} · {known.length}
      </summary>
      <ul>
        {known.map((field) => (
          <li key={field.path}>
            <Link href={at.field(view.project, field.path)}>{field.title || field.path}</Link>
            <StatusTag status={field.status} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Neighbours({ view, path }: { view: View; path: string }) {
  const { t } = useTranslation();
  const [before, after] = neighbours(view.fields, path);
  return (
    <nav className={styles.neighbours} aria-label={t("content.neighbours")}>
      {before && (
        <Link href={at.field(view.project, before.path)}>
          <ChevronLeft size={16} aria-hidden />
          {before.title || before.path}
        </Link>
      )}
      {after && (
        <Link href={at.field(view.project, after.path)}>
          {after.title || after.path}
          <ChevronRight size={16} aria-hidden />
        </Link>
      )}
    </nav>
  );
}
