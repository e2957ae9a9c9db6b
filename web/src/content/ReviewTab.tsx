import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { Level, ReviewSummary as Reviews } from "../api/schema";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Select } from "../parts/Field";
import { Asked } from "../parts/states";
import { Section } from "../settings/parts/parts";
import { at } from "../shell/places";
import { language } from "../words";
import { chaptersOf } from "./chapters";
import styles from "./Export.module.css";
import { gathered, isClean, levels, optionsOf, type Platform, platforms, type Reviewing } from "./reviews";

/** Looks at texts as a platform would, before they are published. */
export function ReviewTab({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const [wanted, want] = useState<Reviewing>({ chapter: undefined, platform: "general", level: undefined });
  const [asked, ask] = useState<Reviewing>();
  return (
    <>
      <Section title={t("content.review.title")} about={t("content.review.about")}>
        <div className={styles.options}>
          <Select
            label={t("content.review.what")}
            value={wanted.chapter ?? ""}
            onChange={(event) => want({ ...wanted, chapter: event.target.value || undefined })}
          >
            <option value="">{t("content.review.everything")}</option>
            {chaptersOf(view).map((chapter) => (
              <option key={chapter.id} value={chapter.id}>
                {chapter.title}
              </option>
            ))}
          </Select>
          <Select
            label={t("content.review.platform")}
            value={wanted.platform}
            onChange={(event) => want({ ...wanted, platform: event.target.value as Platform })}
          >
            {platforms.map((name) => (
              <option key={name} value={name}>
                {t(`content.review.platforms.${name}`)}
              </option>
            ))}
          </Select>
          <Select
            label={t("content.review.level")}
            value={wanted.level ?? ""}
            onChange={(event) =>
              want({ ...wanted, level: (event.target.value || undefined) as Level | undefined })
            }
          >
            <option value="">{t("content.review.as_platform")}</option>
            {levels.map((level) => (
              <option key={level} value={level}>
                {t(`content.review.levels.${level}`)}
              </option>
            ))}
          </Select>
        </div>
        <div>
          <Button kind="main" onClick={() => ask({ ...wanted })}>
            {t("content.review.begin")}
          </Button>
        </div>
      </Section>
      {asked && <Reviewed project={view.project.project} asked={asked} />}
    </>
  );
}

function Reviewed({ project, asked }: { project: string; asked: Reviewing }) {
  const query = useQuery({
    queryKey: [...keys.project(project), "review", asked, language()],
    queryFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/review", {
          params: { path: { project } },
          body: { chapter: asked.chapter ?? null, options: optionsOf(asked, language()) },
        }),
      ),
  });
  return <Asked query={query}>{(reviews) => <Result project={project} reviews={reviews} />}</Asked>;
}

function Result({ project, reviews }: { project: string; reviews: Reviews }) {
  const { t } = useTranslation();
  const found = reviews.reviews.filter(({ review }) => !isClean(review));
  const clean = reviews.reviews.length - found.length;
  return (
    <Section
      title={t("content.review.result")}
      actions={
        <span className={styles.verdict} data-verdict={reviews.verdict} role="status">
          {t(`content.review.verdict.${reviews.verdict}`)}
        </span>
      }
    >
      {clean > 0 && <p>{t("content.review.clean", { count: clean })}</p>}
      {found.map((text) => (
        <Text key={text.document ?? text.title} project={project} text={text} />
      ))}
    </Section>
  );
}

function Text({ project, text }: { project: string; text: Reviews["reviews"][number] }) {
  const { t, i18n } = useTranslation();
  const { review } = text;
  const category = (name: string) => {
    const key = `content.review.categories.${name}`;
    return i18n.exists(key) ? String(t(key as "content.review.categories.other")) : name;
  };
  return (
    <article className={styles.text}>
      <header>
        <h3>
          {text.document ? <Link href={at.chapter(project, text.document)}>{text.title}</Link> : text.title}
        </h3>
        <span>{t("common.characters", { count: review.length })}</span>
        <span className={styles.verdict} data-verdict={review.verdict}>
          {t(`content.review.verdict.${review.verdict}`)}
        </span>
      </header>
      <ul className={styles.found}>
        {review.compliance.map((finding, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a rule may be broken twice
          <li key={place} data-severity={finding.severity}>
            <span>{t(`common.severity.${finding.severity}`)}</span>
            <span>
              {finding.title}
              <small>{finding.advice}</small>
              {finding.text && <blockquote>{finding.text}</blockquote>}
            </span>
          </li>
        ))}
        {gathered(review.sensitive).map(({ word, count }) => (
          <li key={word.text}>
            <span>{category(word.category)}</span>
            <span>
              {t("content.review.word", { word: word.text, count })}
              <small>
                {[
                  word.suggestion && t("content.review.instead", { word: word.suggestion }),
                  word.disguise && t(`content.review.disguise.${word.disguise}`, { word: word.word }),
                ]
                  .filter(Boolean)
                  .join(" · ")}
              </small>
            </span>
          </li>
        ))}
        {(review.originality?.passages ?? []).map((passage, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages have no names
          <li key={place}>
            <span>{t("content.review.copied")}</span>
            <span>
              {t("content.review.stands_in", { source: passage.source, count: passage.same })}
              <blockquote>{passage.text}</blockquote>
            </span>
          </li>
        ))}
      </ul>
    </article>
  );
}
