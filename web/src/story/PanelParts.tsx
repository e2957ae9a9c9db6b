import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Evidence, Finding } from "../api/schema";
import { at } from "../shell/places";
import { addressOf } from "./addresses";
import { anchored } from "./anchors";
import type { Book } from "./book";
import { FindingCard } from "./FindingCard";
import styles from "./Ladders.module.css";
import { More } from "./More";
import { ChapterLink, Quote } from "./parts";
import partStyles from "./parts.module.css";
import { useRules } from "./tools";

type SaysProps = { project: string; book: Book; says: readonly Evidence[] };

const SENTENCES = 2;

/** The sentences that state a value, each with the chapter or the piece where it stands. */
export function Says({ project, book, says }: SaysProps) {
  return (
    <More items={says} step={SENTENCES} within={(shown) => <div className={styles.says}>{shown}</div>}>
      {({ anchor = "", quote = "" }) => (
        <Quote key={anchor + quote} source={<Source project={project} book={book} anchor={anchor} />}>
          {quote}
        </Quote>
      )}
    </More>
  );
}

function Source({ project, book, anchor }: { project: string; book: Book; anchor: string }) {
  const { t } = useTranslation();
  const place = anchored(book, anchor);
  if (!place) return <>{anchor}</>;
  if (place.chapter !== undefined)
    return <ChapterLink project={project} book={book} number={place.chapter} />;
  return (
    <Link href={addressOf(project, place.kind, place.id)} className={partStyles.link}>
      {t(`story.kind.${place.kind}`)}
    </Link>
  );
}

type FindingsProps = { project: string; book: Book; findings: readonly Finding[]; title?: string };

const FEW = 5;

/** What the rules found about a ladder or a panel; nothing if they found nothing. */
export function PanelFindings({ project, book, findings, title }: FindingsProps) {
  const { t } = useTranslation();
  const rules = useRules();
  if (findings.length === 0) return null;
  return (
    <section className={styles.part}>
      <header className={styles.found}>
        <h3>{title ?? t("story.ladders.findings", { count: findings.length })}</h3>
        <Link href={at.place(project, "findings")} className={partStyles.link}>
          {t("story.timeline.to_findings")}
        </Link>
      </header>
      <More items={findings} step={FEW}>
        {(finding) => (
          <FindingCard
            key={finding.issue.id}
            project={project}
            book={book}
            finding={finding}
            rule={rules.get(finding.issue.code ?? "")}
            isMendable={false}
            isMending={false}
            left={undefined}
            onMend={() => undefined}
          />
        )}
      </More>
    </section>
  );
}
