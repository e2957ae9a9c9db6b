import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import type { StoryCheck as Checkup, Finding } from "../api/schema";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Asked, Empty, Failed } from "../parts/states";
import { useBook } from "./book";
import { waiverOf } from "./conflicts";
import { FindingCard } from "./FindingCard";
import styles from "./Findings.module.css";
import { FixSummary } from "./FixSummary";
import { type Family, families, familyOf, groups } from "./findings";
import { More } from "./More";
import { OfBook } from "./OfBook";
import { Bar, Confirm } from "./parts";
import { useCheck, useRules } from "./tools";

/** What the rules find in the story. */
export default function FindingsPage({ project }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Checked view={view} />}</OfBook>;
}

function Checked({ view }: { view: ProjectView }) {
  return (
    <Asked query={useCheck(view.project.project)}>
      {(checkup) => <Found view={view} checkup={checkup} />}
    </Asked>
  );
}

function Found({ view, checkup }: { view: ProjectView; checkup: Checkup }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const rules = useRules();
  const [family, choose] = useState<Family>();
  const mend = useMutation({
    mutationFn: (only: string[]) =>
      answer(http.POST("/api/v1/projects/{project}/mend", { params: { path: { project } }, body: { only } })),
    onSuccess: () => changed(project),
  });
  const open = checkup.findings.filter((finding) => !waiverOf(finding));
  const waived = checkup.findings.filter((finding) => waiverOf(finding));
  const present = families.filter((each) => open.some(({ issue }) => familyOf(issue.code) === each));
  const shown = open.filter(({ issue }) => family === undefined || familyOf(issue.code) === family);
  const mendable = new Set(checkup.mendable);
  const card = (finding: Finding) => (
    <FindingCard
      key={finding.issue.id}
      project={project}
      book={book}
      finding={finding}
      rule={rules.get(finding.issue.code ?? "")}
      isMendable={mendable.has(finding.issue.id ?? "")}
      isMending={mend.isPending}
      left={mend.data?.left[finding.issue.id ?? ""]}
      onMend={(code) => mend.mutate([code])}
    />
  );
  return (
    <Page
      title={t("shell.nav.findings")}
      about={t("story.findings.about")}
      actions={
        mendable.size > 0 && (
          <Confirm
            kind="main"
            words={t("story.findings.mend_all")}
            question={t("story.findings.mend_question")}
            isBusy={mend.isPending}
            onConfirm={() => mend.mutate([])}
          />
        )
      }
    >
      {mend.error && <Failed error={mend.error} />}
      <div role="status" className={styles.mended}>
        {mend.data && <FixSummary fixes={mend.data} />}
      </div>
      {open.length === 0 ? (
        <Empty title={t(checkup.score == null ? "runs.check.nothing" : "story.findings.none")}>
          <p>{t("story.findings.none_about", { count: rules.size })}</p>
        </Empty>
      ) : (
        <Bar>
          <span className={styles.score} data-good={(checkup.score ?? 0) >= 80}>
            {checkup.score ?? "–"}
          </span>
          <span>{t("story.findings.sum", { count: open.length })}</span>
          <div className={styles.families}>
            <Button aria-pressed={family === undefined} onClick={() => choose(undefined)}>
              {t("common.all")}
            </Button>
            {present.map((each) => (
              <Button key={each} aria-pressed={family === each} onClick={() => choose(each)}>
                {t(`story.family.${each}`)} {open.filter(({ issue }) => familyOf(issue.code) === each).length}
              </Button>
            ))}
          </div>
        </Bar>
      )}
      {groups(shown).map(([severity, findings]) => (
        <section key={severity} className={styles.group}>
          <h2 data-severity={severity}>
            {t(`common.severity.${severity}`)} <small>{findings.length}</small>
          </h2>
          <More items={findings} step={50}>
            {card}
          </More>
        </section>
      ))}
      {waived.length > 0 && (
        <details className={styles.waived}>
          <summary>{t("story.findings.waived", { count: waived.length })}</summary>
          <div className={styles.group}>
            <More items={waived} step={50}>
              {card}
            </More>
          </div>
        </details>
      )}
    </Page>
  );
}
