import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { Figures as Counted, Feeling } from "../api/schema";
import type { ProjectView } from "../api/story";
import { Select } from "../parts/Field";
import { useNumbers } from "../parts/numbers";
import { Asked } from "../parts/states";
import { Bars, Figures, Section } from "../settings/parts/parts";
import { chaptersOf } from "./chapters";
import styles from "./Export.module.css";

const MOST_SPEAKERS = 12;

/** What can be counted in a text: how it speaks, feels and moves. */
export function FiguresTab({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const [chapter, choose] = useState("");
  const query = useQuery({
    queryKey: [...keys.project(project), "analysis", chapter],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/analysis", {
          params: { path: { project }, query: { chapter: chapter || null } },
        }),
      ),
  });
  return (
    <>
      <div className={styles.options}>
        <Select
          label={t("content.figures.of")}
          value={chapter}
          onChange={(event) => choose(event.target.value)}
        >
          <option value="">{t("content.review.everything")}</option>
          {chaptersOf(view).map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </Select>
      </div>
      <Asked query={query}>{({ figures }) => <Shown figures={figures} />}</Asked>
    </>
  );
}

function Shown({ figures }: { figures: Counted }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const { dialogue, emotion, pace, paragraphs, readability, sentences, variety } = figures;
  const share = (part: number) => `${Math.round(part * 100)} %`;
  return (
    <>
      <Figures
        told={[
          [t("content.figures.length"), whole(figures.length)],
          [t("content.figures.ease"), t(`content.figures.eases.${readability.ease}`)],
          [t("content.figures.dialogue"), share(dialogue.share)],
          [t("content.figures.sentence"), sentences.mean.toFixed(1)],
          [t("content.figures.paragraph"), paragraphs.mean.toFixed(0)],
          [t("content.figures.variety"), share(variety.moving)],
        ]}
      />
      <Section title={t("content.figures.pace")} about={t("content.figures.pace_about")}>
        <Columns label={t("content.figures.pace")} amounts={pace.curve.map((point) => point.pace)} most={1} />
      </Section>
      <Section title={t("content.figures.intensity")} about={t("content.figures.intensity_about")}>
        <Columns
          label={t("content.figures.intensity")}
          amounts={emotion.curve.map((point) => point.intensity)}
        />
      </Section>
      <div className={styles.two}>
        <Section title={t("content.figures.feelings")}>
          <Bars
            bars={feelingsOf(emotion.feelings).map(([feeling, weight]) => ({
              name: t(`content.figures.feeling.${feeling}`),
              amount: weight,
              told: weight.toFixed(2),
            }))}
          />
        </Section>
        <Section title={t("content.figures.speakers")}>
          <Bars
            bars={dialogue.speakers.slice(0, MOST_SPEAKERS).map((speaker) => ({
              name: speaker.name,
              amount: speaker.length,
              told: t("content.figures.speeches", { count: speaker.speeches }),
            }))}
          />
          {dialogue.unnamed > 0 && <p>{t("content.figures.unnamed", { count: dialogue.unnamed })}</p>}
        </Section>
        <Section title={t("content.figures.sentences")}>
          <Bars
            bars={sentences.histogram.map(({ from, to, count }) => ({
              name: to === null || to === undefined ? `${from}+` : `${from}–${to}`,
              amount: count,
              told: whole(count),
            }))}
          />
        </Section>
      </div>
    </>
  );
}

const feelings = [
  "joy",
  "love",
  "anger",
  "sadness",
  "fear",
  "disgust",
  "surprise",
] as const satisfies Feeling[];

/** The feelings that are there, the strongest first. */
export function feelingsOf(weights: Readonly<Record<string, number>>): [Feeling, number][] {
  return feelings
    .map((feeling): [Feeling, number] => [feeling, weights[feeling] ?? 0])
    .filter(([, weight]) => weight > 0)
    .sort(([, one], [, other]) => other - one);
}

/** Amounts along a text, from its beginning to its end; the same can be read one by one. */
export function Columns({
  label,
  amounts,
  most,
}: {
  label: string;
  amounts: readonly number[];
  most?: number;
}) {
  const whole = most ?? Math.max(0, ...amounts);
  return (
    <ol className={styles.columns} aria-label={label}>
      {amounts.map((amount, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
        <li key={place} title={amount.toFixed(2)}>
          <i style={{ height: whole > 0 ? `${(100 * amount) / whole}%` : 0 }} aria-hidden />
          <span className="unseen">{amount.toFixed(2)}</span>
        </li>
      ))}
    </ol>
  );
}
