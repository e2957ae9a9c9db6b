import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { MirrorReadingRecord, MirrorStatus, MirrorUpdateRecord } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Asked, Empty } from "../parts/states";
import styles from "./Mirror.module.css";
import {
  mayTurn,
  type Outcome,
  outcomes,
  useMirror,
  useRunMirror,
  useSwitchMirror,
  waitingFiles,
} from "./mirror";
import { Section, Switch } from "./parts/parts";
import { Told } from "./parts/Told";

/** The book as a folder of readable files: whether it is kept, and what was changed there. */
export function Mirror({ project }: { project: string }) {
  const { t } = useTranslation();
  return (
    <Section title={t("settings.tab.mirror")} about={t("settings.mirror.about")}>
      <Asked query={useMirror(project)}>
        {(status) =>
          status.is_available ? (
            <Shown project={project} status={status} />
          ) : (
            <Empty title={t("settings.mirror.none")}>{t("settings.mirror.how")}</Empty>
          )
        }
      </Asked>
    </Section>
  );
}

function Shown({ project, status }: { project: string; status: MirrorStatus }) {
  const { t } = useTranslation();
  const change = useSwitchMirror(project);
  const run = useRunMirror(project);
  const waiting = run.data ? waitingFiles(run.data) : 0;
  const reason = useId();
  const switches = [
    ["on", status.on, false],
    ["git", status.git, !mayTurn(status)],
  ] as const;
  return (
    <>
      {switches.map(([name, isOn, isRefused]) => (
        <p key={name} className={styles.switch}>
          <Switch
            label={t(`settings.mirror.${name}`)}
            isOn={isOn}
            isDisabled={isRefused || change.isPending}
            describedBy={isRefused ? reason : undefined}
            onChange={(isOn) => change.mutate({ [name]: isOn })}
          />
          {t(`settings.mirror.${name}`)}
          {isRefused && <Dim id={reason}>{t("settings.mirror.git_refused")}</Dim>}
        </p>
      ))}
      <Told error={change.error} />
      {status.folder && (
        <p>
          {t("settings.mirror.folder")} <code className={styles.path}>{status.folder}</code>
        </p>
      )}
      {status.last_update ? (
        <Update update={status.last_update} isBehind={status.version !== status.project_version} />
      ) : (
        <Dim>{t("settings.mirror.never")}</Dim>
      )}
      <Files title={t("settings.mirror.changed")} paths={status.changed} />
      <Files title={t("settings.mirror.deleted")} paths={status.deleted} />
      <div className={styles.actions}>
        <Button kind="main" disabled={run.isPending} onClick={() => run.mutate(true)}>
          {t("settings.mirror.read")}
        </Button>
        <Button disabled={run.isPending} onClick={() => run.mutate(false)}>
          {t("settings.mirror.update")}
        </Button>
      </div>
      <p role="status">
        {run.isPending
          ? t("settings.mirror.working")
          : run.data &&
            (waiting > 0 ? t("settings.mirror.done_but", { count: waiting }) : t("settings.mirror.done"))}
      </p>
      <Told error={run.error} />
      {status.last_reading && <Reading record={status.last_reading} />}
    </>
  );
}

function Update({ update, isBehind }: { update: MirrorUpdateRecord; isBehind: boolean }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const { at, written, removed, kept } = update;
  return (
    <>
      <p>
        {t("settings.mirror.updated", { when: ago(at), written, removed })}{" "}
        {isBehind && t("settings.mirror.behind")}
      </p>
      {update.commit !== "off" && (
        <p>
          {update.commit === "failed" && update.message
            ? t("settings.mirror.commit.failed", { message: update.message })
            : t(`settings.mirror.commit.${update.commit === "failed" ? "failed_there" : update.commit}`)}
        </p>
      )}
      <Files title={t("settings.mirror.kept")} paths={kept} />
    </>
  );
}

function Files({ title, paths }: { title: string; paths: readonly string[] }) {
  if (paths.length === 0) return null;
  return (
    <div className={styles.files}>
      <h3>{title}</h3>
      <ul>
        {paths.map((path) => (
          <li key={path} className={styles.path}>
            {path}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Reading({ record }: { record: MirrorReadingRecord }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const told = outcomes(record.reading);
  return (
    <div className={styles.files}>
      <h3>{t("settings.mirror.was_read", { when: ago(record.at) })}</h3>
      {told.length === 0 ? (
        <Dim>{t("settings.mirror.nothing")}</Dim>
      ) : (
        <ul>
          {told.map((outcome, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file may be told of twice, and the order is that of the answer
            <li key={place}>
              <Line outcome={outcome} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Line({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation();
  switch (outcome.kind) {
    case "card": {
      const names = outcome.fields.map((name) => name || t("settings.mirror.text"));
      return t("settings.mirror.outcome.card", {
        title: outcome.title,
        fields: names.join(t("settings.mirror.comma")),
      });
    }
    case "fields": {
      const told = outcome.fields.map(({ label, reason }) =>
        t("settings.mirror.unread_field", {
          name: label || t("settings.mirror.text"),
          reason: t(`settings.mirror.unread.${reason}`),
        }),
      );
      return t("settings.mirror.outcome.fields", {
        path: outcome.path,
        fields: told.join(t("settings.mirror.comma")),
      });
    }
    case "conflict":
      return t("settings.mirror.outcome.conflict", {
        path: outcome.path,
        title: outcome.title,
        beside: outcome.beside,
      });
    case "edited":
    case "layout":
      return t(`settings.mirror.outcome.${outcome.kind}`, { title: outcome.title });
    default:
      return t(`settings.mirror.outcome.${outcome.kind}`, { path: outcome.path });
  }
}
