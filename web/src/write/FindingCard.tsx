import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import type { Finding } from "../api/schema";
import type { Chapter } from "../chapters/list";
import { Button } from "../parts/Button";
import { Tag } from "../parts/Card";
import { TextField } from "../parts/Field";
import { Failed } from "../parts/states";
import { useStart } from "../shelf/actions";
import { familyOf } from "../story/findings";
import styles from "./Findings.module.css";

type Props = { project: string; chapter: Chapter; finding: Finding };

/** A finding in full: what, why, what would mend it; and the ways to be rid of it. */
export function FindingCard({ project, chapter, finding: { issue, instructions } }: Props) {
  const { t } = useTranslation();
  return (
    <div className={styles.card}>
      <p className={styles.tags}>
        <Tag>{t(`story.family.${familyOf(issue.code)}`)}</Tag>
        <Tag>{t(`common.severity.${issue.severity ?? "medium"}`)}</Tag>
      </p>
      {issue.impact && <p>{issue.impact}</p>}
      <ul className={styles.quotes}>
        {issue.evidence?.map(({ anchor, quote }) => (
          <li key={`${anchor}${quote}`} className={styles.quote}>
            {quote}
          </li>
        ))}
      </ul>
      {instructions.map(({ specific_instruction: words }) => (
        <p key={words}>
          <span className={styles.dim}>{t("write.findings.fix")}</span> {words}
        </p>
      ))}
      <Mending project={project} chapter={chapter} code={instructions.length > 0 ? issue.code : undefined} />
      <Waiving project={project} finding={issue.id ?? ""} />
    </div>
  );
}

function Mending({ project, chapter, code }: Omit<Props, "finding"> & { code: string | null | undefined }) {
  const { t } = useTranslation();
  const agents = useStart(true);
  const mend = useMutation({
    mutationFn: (only: string) =>
      answer(
        http.POST("/api/v1/projects/{project}/mend", {
          params: { path: { project } },
          body: { only: [only] },
        }),
      ),
    onSuccess: () => changed(project),
  });
  const told = agents.isSuccess
    ? t("write.findings.mending")
    : mend.data &&
      (mend.data.mended.length > 0
        ? t("write.findings.mended", { count: mend.data.mended.length })
        : t("write.findings.not_mended"));
  return (
    <>
      <div className={styles.actions}>
        {code && (
          <Button disabled={mend.isPending} onClick={() => mend.mutate(code)}>
            {t("write.findings.mend")}
          </Button>
        )}
        {chapter.node && (
          <Button
            disabled={agents.isPending || agents.isSuccess}
            onClick={() =>
              agents.mutate({ kind: "write", project, task: { kind: "correct", chapters: [chapter.id] } })
            }
          >
            {t("write.findings.mend_agents")}
          </Button>
        )}
      </div>
      <p role="status" className={styles.dim}>
        {told}
      </p>
      {(mend.error ?? agents.error) && <Failed error={mend.error ?? agents.error} />}
    </>
  );
}

function Waiving({ project, finding }: { project: string; finding: string }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const waive = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/findings/{finding}/waive", {
          params: { path: { project, finding } },
          body: { reason, owner: t("write.author") },
        }),
      ),
    onSuccess: () => changed(project),
  });
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() !== "") waive.mutate();
  };
  return (
    <form className={styles.waive} onSubmit={send}>
      <TextField
        label={t("write.findings.reason")}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" disabled={reason.trim() === "" || waive.isPending}>
        {t("write.findings.waive")}
      </Button>
      {waive.error && <Failed error={waive.error} />}
    </form>
  );
}
