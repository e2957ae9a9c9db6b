import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import type { Finding, RuleRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { TextField } from "../parts/Field";
import { Failed } from "../parts/states";
import { addressOf } from "./addresses";
import { anchored } from "./anchors";
import type { Book } from "./book";
import { disputeOf, waiverOf } from "./conflicts";
import styles from "./Findings.module.css";
import { familyOf } from "./findings";
import { ChapterLink, Quote, useKindWords } from "./parts";
import partStyles from "./parts.module.css";

type Props = {
  project: string;
  book: Book;
  finding: Finding;
  rule: RuleRow | undefined;
  /** Whether the server can mend it. */
  isMendable: boolean;
  isMending: boolean;
  /** Why the last mending left it alone, in the server's word. */
  left: string | undefined;
  /** Mends the findings of a rule with its code, or the finding with the ID. */
  onMend: (only: string) => void;
};

/** The rule about planned events that a text tells otherwise: either may change. */
const toldOtherwise = "QY316";

const reasons = ["waived", "not_certain", "refused", "harmful", "no_effect", "gone", "untried"] as const;

/** A finding: what, why, the sentences side by side, and what can be done about it. */
export function FindingCard({ project, book, finding, rule, isMendable, isMending, left, onMend }: Props) {
  const { t } = useTranslation();
  const { issue, instructions } = finding;
  const [isWaiving, waive] = useState(false);
  const waiver = waiverOf(finding);
  const disputed = disputeOf(finding);
  const reason = reasons.find((each) => each === left);
  const code = issue.code ?? "";
  return (
    <article className={styles.finding} data-severity={issue.severity} data-waived={waiver !== undefined}>
      <header>
        <h3>{issue.title}</h3>
        <small title={code}>{t(`story.family.${familyOf(code)}`)}</small>
      </header>
      <p>{issue.root_cause}</p>
      {issue.impact && <Dim>{issue.impact}</Dim>}
      <div className={styles.evidence}>
        {(issue.evidence ?? []).map(({ anchor = "", quote = "" }) => (
          <Quote key={anchor + quote} source={<Place project={project} book={book} anchor={anchor} />}>
            {quote}
          </Quote>
        ))}
      </div>
      {disputed && <p>{t("story.findings.disputed", { why: disputed })}</p>}
      {instructions.length > 0 && (
        <ul className={styles.proposals}>
          {instructions.map(({ specific_instruction: words }) => (
            <li key={words}>{t("story.findings.proposal", { words })}</li>
          ))}
        </ul>
      )}
      {rule && (
        <details>
          <summary>{t("story.findings.rule", { name: rule.name })}</summary>
          <p>{rule.explanation}</p>
        </details>
      )}
      {reason && <p role="status">{t(`story.findings.left.${reason}`)}</p>}
      {waiver ? (
        <p className={styles.waiver}>{t("story.findings.waived_by", waiver)}</p>
      ) : (
        <footer>
          {isMendable && code !== "" && (
            <Button
              disabled={isMending}
              onClick={() => onMend(code)}
              title={t("story.findings.mend_about", { code })}
            >
              {t("story.findings.mend")}
            </Button>
          )}
          {code === toldOtherwise && issue.id && (
            <Button disabled={isMending} onClick={() => onMend(issue.id ?? "")}>
              {t("story.findings.plan_follows")}
            </Button>
          )}
          <Button kind="plain" aria-expanded={isWaiving} onClick={() => waive(!isWaiving)}>
            {t("story.findings.waive")}
          </Button>
        </footer>
      )}
      {isWaiving && !waiver && (
        <WaiveForm project={project} finding={issue.id ?? ""} onDone={() => waive(false)} />
      )}
    </article>
  );
}

/** Where a piece of evidence stands: the chapter, if it is prose or told by one, else the piece itself. */
function Place({ project, book, anchor }: { project: string; book: Book; anchor: string }) {
  const words = useKindWords();
  const place = anchored(book, anchor);
  if (!place) return <>{anchor}</>;
  const name = book.pieces.find(({ kind, id }) => kind === place.kind && id === place.id)?.name;
  return (
    <>
      <Link href={addressOf(project, place.kind, place.id)} className={partStyles.link}>
        {[words(place.kind), name].filter(Boolean).join(" · ")}
      </Link>{" "}
      {place.chapter !== undefined && <ChapterLink project={project} book={book} number={place.chapter} />}
    </>
  );
}

function WaiveForm({ project, finding, onDone }: { project: string; finding: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [reason, setReason] = useState("");
  const [owner, setOwner] = useState("");
  const waive = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/findings/{finding}/waive", {
          params: { path: { project, finding } },
          body: { reason: reason.trim(), owner: owner.trim() },
        }),
      ),
    onSuccess: () => {
      changed(project);
      onDone();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    waive.mutate();
  };
  return (
    <form className={styles.waive} onSubmit={submit}>
      <TextField
        label={t("story.findings.reason")}
        value={reason}
        required
        onChange={(e) => setReason(e.target.value)}
      />
      <TextField
        label={t("story.findings.owner")}
        value={owner}
        required
        onChange={(e) => setOwner(e.target.value)}
      />
      <Button type="submit" disabled={waive.isPending || reason.trim() === "" || owner.trim() === ""}>
        {t("story.findings.waive")}
      </Button>
      {waive.error && <Failed error={waive.error} />}
    </form>
  );
}
