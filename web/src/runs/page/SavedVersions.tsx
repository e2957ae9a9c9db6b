import { useMutation, useQuery } from "@tanstack/react-query";
import { GitBranch, History, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { changed, keys } from "../../api/queries";
import type { ChangeRow } from "../../api/schema";
import { Button } from "../../parts/Button";
import { useDates } from "../../parts/dates";
import { Failed } from "../../parts/states";
import { useNames } from "../names";
import type { RunState, SavedVersion } from "../state";
import { Comparison } from "./Comparison";
import { Fork } from "./Fork";
import styles from "./SavedVersions.module.css";
import { Section } from "./Section";

/** Each version that the run saved: what changed by it, a branch from it, and the way back. */
export function SavedVersions({ project, state }: { project: string; state: RunState }) {
  const { t } = useTranslation();
  const params = { path: { project } };
  const { data: changes } = useQuery({
    queryKey: [...keys.project(project), "changes"],
    enabled: state.saved.length > 0,
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/changes", { params })),
  });
  if (state.saved.length === 0) return null;
  return (
    <Section title={t("runs.page.saved")} about={t("runs.page.saved_about")}>
      <ol className={styles.versions}>
        {state.saved.map((saved) => (
          <li key={saved.seq}>
            <Version
              project={project}
              saved={saved}
              change={changes?.find((change) => change.change === saved.version)}
              isUndone={changes?.some((change) => change.undoes === saved.version) ?? false}
            />
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Open = "compare" | "fork" | "undo" | undefined;

type VersionProps = {
  project: string;
  saved: SavedVersion;
  change: ChangeRow | undefined;
  isUndone: boolean;
};

function Version({ project, saved, change, isUndone }: VersionProps) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const { when } = useDates();
  const [open, show] = useState<Open>();
  const turn = (one: Open) => show(open === one ? undefined : one);
  return (
    <article className={styles.version}>
      <header>
        <strong>{t("runs.saved_version", { version: saved.version })}</strong>
        <span className={styles.who}>
          {agent(saved.agent)} · {t("runs.saved_pieces", { count: saved.pieces })} · {when(saved.at)}
        </span>
        <Button aria-expanded={open === "compare"} onClick={() => turn("compare")}>
          <History size={14} aria-hidden />
          {t("runs.page.compare")}
        </Button>
        <Button aria-expanded={open === "fork"} onClick={() => turn("fork")}>
          <GitBranch size={14} aria-hidden />
          {t("runs.page.fork")}
        </Button>
        {isUndone ? (
          <span className={styles.who}>{t("runs.page.taken_back")}</span>
        ) : (
          <Button aria-expanded={open === "undo"} onClick={() => turn("undo")}>
            <Undo2 size={14} aria-hidden />
            {t("runs.page.take_back")}
          </Button>
        )}
      </header>
      {open === "compare" && <Comparison project={project} version={saved.version} change={change} />}
      {open === "fork" && <Fork project={project} version={saved.version} />}
      {open === "undo" && (
        <TakeBack project={project} version={saved.version} onDone={() => show(undefined)} />
      )}
    </article>
  );
}

function TakeBack({ project, version, onDone }: { project: string; version: number; onDone(): void }) {
  const { t } = useTranslation();
  const undo = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/changes/undo", {
          params: { path: { project } },
          body: { change: version },
        }),
      ),
    onSuccess: () => {
      changed(project);
      onDone();
    },
  });
  return (
    <div className={styles.form}>
      <span>{t("runs.page.take_back_sure")}</span>
      <Button kind="danger" onClick={() => undo.mutate()} disabled={undo.isPending}>
        {t("runs.page.take_back")}
      </Button>
      <Button onClick={onDone}>{t("common.cancel")}</Button>
      {undo.error && <Failed error={undo.error} />}
    </div>
  );
}
