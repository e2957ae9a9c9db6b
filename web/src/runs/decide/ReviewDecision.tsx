import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { changed } from "../../api/queries";
import { Button } from "../../parts/Button";
import { TextArea, TextField } from "../../parts/Field";
import { Failed } from "../../parts/states";
import { Findings } from "../Findings";
import { useNames } from "../names";
import { scoreOf } from "../score";
import type { Deciding } from "./DecisionCard";
import styles from "./DecisionCard.module.css";
import { EditMaterial } from "./EditMaterial";

type Open = "reject" | "edit" | undefined;

/** Whether the material may stand: take it, send it back, or mend it oneself. */
export function ReviewDecision({
  project,
  run,
  question,
  isBusy,
  isWide,
  onAnswer,
}: Deciding<"human_review">) {
  const { t } = useTranslation();
  const { word } = useNames();
  const [open, turn] = useState<Open>();
  const [feedback, say] = useState("");
  const { report, reason } = question;
  return (
    <>
      <p className={styles.why}>
        {word("decide.review", reason)} {t("runs.score_of", { score: scoreOf(report) ?? "–" })}
        {" · "}
        {t("runs.findings_of", { count: report.issues?.length ?? 0 })}
      </p>
      <div className={styles.choices}>
        <button
          type="button"
          className={styles.choice}
          disabled={isBusy}
          onClick={() => onAnswer({ answer: "approve" })}
        >
          {t("runs.decide.review.approve")}
          <small>{t("runs.decide.review.approve_about")}</small>
        </button>
        {(["reject", "edit"] as const).map((one) => (
          <button
            key={one}
            type="button"
            className={styles.choice}
            aria-expanded={open === one}
            disabled={isBusy}
            onClick={() => turn(open === one ? undefined : one)}
          >
            {t(`runs.decide.review.${one}`)}
            <small>{t(`runs.decide.review.${one}_about`)}</small>
          </button>
        ))}
      </div>
      {open === "reject" && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            onAnswer({ answer: "reject", feedback: feedback.trim() });
          }}
        >
          <TextArea
            label={t("runs.decide.review.reject_words")}
            rows={3}
            value={feedback}
            onChange={(event) => say(event.target.value)}
          />
          <div className={styles.row}>
            <Button kind="main" type="submit" disabled={isBusy || feedback.trim() === ""}>
              {t("runs.decide.review.reject")}
            </Button>
          </div>
        </form>
      )}
      {open === "edit" && <EditMaterial run={run} isBusy={isBusy} onAnswer={onAnswer} />}
      <Waiving project={project} question={question} isWide={isWide} />
    </>
  );
}

type WaivingProps = Pick<Deciding<"human_review">, "project" | "question" | "isWide">;

/** The findings, of which the author can let some be for a reason. */
function Waiving({ project, question, isWide }: WaivingProps) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [waived, note] = useState<ReadonlySet<string>>(new Set());
  const [reason, say] = useState("");
  const waive = useMutation({
    mutationFn: async (findings: readonly string[]) => {
      const body = { owner: "author", reason: reason.trim() };
      for (const finding of findings) {
        const params = { path: { project, finding } };
        await answer(http.POST("/api/v1/projects/{project}/findings/{finding}/waive", { params, body }));
      }
      return findings;
    },
    onSuccess: (findings) => {
      note(new Set([...waived, ...findings]));
      choose(new Set());
      say("");
      changed(project);
    },
  });
  const turn = (issue: string) => {
    const next = new Set(chosen);
    if (!next.delete(issue)) next.add(issue);
    choose(next);
  };
  return (
    <>
      <Findings
        project={project}
        report={question.report}
        choosing={{ chosen, waived, onChoose: turn }}
        isWide={isWide}
      />
      {chosen.size > 0 && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            waive.mutate([...chosen]);
          }}
        >
          <p className={styles.about}>{t("runs.decide.review.waive_about")}</p>
          <TextField
            label={t("runs.decide.review.waive_reason")}
            value={reason}
            onChange={(event) => say(event.target.value)}
          />
          <div className={styles.row}>
            <Button type="submit" disabled={reason.trim() === "" || waive.isPending}>
              {t("runs.decide.review.waive")} ({chosen.size})
            </Button>
          </div>
        </form>
      )}
      {waive.error && <Failed error={waive.error} />}
    </>
  );
}
