import { useTranslation } from "react-i18next";
import { Dim, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { useNumbers } from "../parts/numbers";
import { Bars, CopyButton, Figures, Section } from "../settings/parts/parts";
import styles from "./Report.module.css";
import {
  asEvaluation,
  asResearch,
  asSimulation,
  type Evaluation,
  type Finding,
  type Research,
  type Said,
  type Simulation,
  scored,
} from "./reports";

/** The value of a report's field as people read it; nothing if it is no report. */
export function Report({ value }: { value: unknown }) {
  const research = asResearch(value);
  if (research) return <ResearchReport report={research} />;
  const simulation = asSimulation(value);
  if (simulation) return <SimulationReport report={simulation} />;
  const evaluation = asEvaluation(value);
  if (evaluation) return <EvaluationReport report={evaluation} />;
  return undefined;
}

/** Whether {@link Report} can show a value. */
export function isReport(value: unknown): boolean {
  return (asResearch(value) ?? asSimulation(value) ?? asEvaluation(value)) !== undefined;
}

function ResearchReport({ report }: { report: Research }) {
  const { t } = useTranslation();
  const { when } = useDates();
  const others = report.findings.filter(({ question }) => question < 1 || question > report.questions.length);
  return (
    <div className={styles.report}>
      <p className={styles.summary}>{report.summary || t("content.research.nothing")}</p>
      {report.questions.map(({ question, perspective, answer }, place) => {
        const findings = report.findings.filter((finding) => finding.question === place + 1);
        if (!answer && findings.length === 0) return undefined;
        const title = `${place + 1}. ${question}`;
        return (
          <Section key={title} title={title} about={perspective}>
            {answer && <p className={styles.summary}>{answer}</p>}
            <Findings findings={findings} />
          </Section>
        );
      })}
      {others.length > 0 && (
        <Section
          title={t(report.questions.length > 0 ? "content.research.others" : "content.research.findings")}
        >
          <Findings findings={others} />
        </Section>
      )}
      <Section title={t("content.research.sources")} about={t("content.research.sources_about")}>
        {report.sources.length === 0 && <Dim>{t("content.research.no_sources")}</Dim>}
        <ol className={styles.sources}>
          {report.sources.map((source) => (
            <li key={source.number}>
              <span className={styles.number}>[{source.number}]</span>
              <span>
                <strong>{source.title || source.url}</strong>
                {source.details.length > 0 && <Dim>{source.details.join(t("content.and"))}</Dim>}
                <code>{source.url}</code>
                {source.readAt && <Dim>{t("content.research.read", { when: when(source.readAt) })}</Dim>}
              </span>
              <CopyButton
                text={source.url}
                name={t("content.research.copy", { title: source.title || source.url })}
              />
            </li>
          ))}
        </ol>
      </Section>
      <Lines title={t("content.research.gaps")} lines={report.gaps} />
      <Lines
        title={t("content.research.dropped")}
        lines={report.dropped.map((page) => `${page.title || page.url} – ${page.reason}`)}
      />
    </div>
  );
}

function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation();
  if (findings.length === 0) return undefined;
  return (
    <ul className={styles.points}>
      {findings.map((finding) => (
        <li key={finding.claim}>
          {finding.claim}{" "}
          {finding.isSupported ? (
            <Dim>{finding.sources.map((source) => `[${source}]`).join("")}</Dim>
          ) : (
            <Tag>{t("content.research.unsupported")}</Tag>
          )}
        </li>
      ))}
    </ul>
  );
}

function SimulationReport({ report }: { report: Simulation }) {
  const { t, i18n } = useTranslation();
  const { whole } = useNumbers();
  const named = (interaction: string) => {
    const name = `content.interaction.${interaction}`;
    return i18n.exists(name) ? String(t(name as "content.interaction.objection")) : interaction;
  };
  const demand = report.demand;
  return (
    <div className={styles.report}>
      <p className={styles.note}>{t("content.readers.note")}</p>
      <Figures
        told={report.outcomes.map((outcome) => [
          named(outcome.interaction),
          scored(outcome.mean, outcome.spread),
        ])}
      />
      <Lines
        title={t("content.readers.who")}
        lines={report.personas.map((persona) => [persona.name, persona.who].filter(Boolean).join(" – "))}
      />
      {report.outcomes.map(
        ({ interaction, apart }) =>
          apart && (
            <Section key={interaction} title={t("content.readers.apart", { what: named(interaction) })}>
              <Words said={[apart.high, apart.low]} />
            </Section>
          ),
      )}
      {demand && (
        <Section title={t("content.readers.demand")}>
          <Bars
            bars={(["yes", "maybe", "no", "unsaid"] as const).map((reply) => ({
              name: t(`content.readers.${reply}`),
              amount: demand[reply],
              told: whole(demand[reply]),
            }))}
          />
        </Section>
      )}
      {report.points.length > 0 && (
        <Section title={t("content.readers.points")}>
          <Bars
            most={1}
            bars={report.points.map(({ point, understood, all }) => ({
              name: point,
              amount: all > 0 ? understood / all : 0,
              told: `${understood} / ${all}`,
            }))}
          />
        </Section>
      )}
      <Curve report={report} />
      {report.objections.length > 0 && (
        <Section title={t("content.readers.objections")}>
          {report.objections.map((group, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: groups have no names
            <details key={place} className={styles.group} open={place < 3}>
              <summary>
                {group.place
                  ? t("content.readers.place", { title: group.place.title, number: group.place.paragraph })
                  : group.paragraph === undefined
                    ? t("content.readers.all_of_it")
                    : t("content.readers.paragraph", { number: group.paragraph })}{" "}
                <Dim>{t("content.readers.so_many", { count: group.personas })}</Dim>
              </summary>
              {group.quotes.map((quote) => (
                <blockquote key={quote}>{quote}</blockquote>
              ))}
              <Words said={group.sides} />
            </details>
          ))}
        </Section>
      )}
      {report.failed > 0 && <Dim>{t("content.readers.failed", { count: report.failed })}</Dim>}
    </div>
  );
}

const MOST_STEPS = 12;

function Curve({ report }: { report: Simulation }) {
  const { t } = useTranslation();
  if (report.curve.length === 0) return undefined;
  const step = Math.max(1, Math.ceil(report.curve.length / MOST_STEPS));
  const shown = report.curve.filter(
    (_, place) => (place + 1) % step === 0 || place === report.curve.length - 1,
  );
  return (
    <Section title={t("content.readers.how_far")} about={t("content.readers.how_far_about")}>
      <Bars
        most={1}
        bars={shown.map(({ paragraph, share }) => ({
          name: t("content.readers.paragraph", { number: paragraph }),
          amount: share,
          told: `${Math.round(share * 100)} %`,
        }))}
      />
      <Words said={report.stops} />
    </Section>
  );
}

function EvaluationReport({ report }: { report: Evaluation }) {
  const { t } = useTranslation();
  return (
    <div className={styles.report}>
      <Figures
        told={[
          [t("content.scores.total"), scored(report.total, report.deviation)],
          [t("content.scores.covered"), `${Math.round(report.covered * 100)} %`],
          [t("content.scores.runs"), String(report.runs)],
          [t("content.scores.failed"), String(report.failed)],
        ]}
      />
      <Bars
        most={100}
        bars={report.criteria.map((rating) => ({
          name: rating.title,
          amount: rating.mean ?? 0,
          told: scored(rating.mean, rating.deviation),
        }))}
      />
      {report.criteria.map((rating) => (
        <Section key={rating.criterion} title={rating.title}>
          <p className={styles.row}>
            <strong>{scored(rating.mean, rating.deviation)}</strong>
            <Dim>{t("content.scores.weight", { share: Math.round(rating.weight * 100) })}</Dim>
            {rating.isUnreliable && <Tag>{t("content.scores.unreliable")}</Tag>}
          </p>
          <ul className={styles.points}>
            {rating.why.map((why, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: reasons may be the same
              <li key={place}>{why}</li>
            ))}
          </ul>
          {rating.quotes.map((quote) => (
            <blockquote key={quote} className={styles.quote}>
              {quote}
            </blockquote>
          ))}
        </Section>
      ))}
    </div>
  );
}

function Words({ said }: { said: readonly Said[] }) {
  return (
    <dl className={styles.words}>
      {said.map(({ persona, words }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: one may say the same twice
        <div key={place}>
          <dt>{persona}</dt>
          <dd>{words}</dd>
        </div>
      ))}
    </dl>
  );
}

function Lines({ title, lines }: { title: string; lines: readonly string[] }) {
  if (lines.length === 0) return undefined;
  return (
    <Section title={title}>
      <ul className={styles.points}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </Section>
  );
}
