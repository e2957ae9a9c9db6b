import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CharacterPanel, Finding } from "../api/schema";
import type { Ladder } from "../api/story";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import type { Book } from "./book";
import styles from "./Ladders.module.css";
import { More } from "./More";
import { PanelFindings, Says } from "./PanelParts";
import { PieceForm } from "./PieceForm";
import { type Standing, shownValue, standingsOn } from "./panels";
import { Name } from "./parts";

type Props = {
  project: string;
  book: Book;
  ladder: Ladder;
  panels: readonly CharacterPanel[];
  findings: readonly Finding[];
  isOpen: boolean;
};

const PEOPLE = 30;

/** A ladder with its steps, who stands where on it, and what is wrong with that; its fields open in its place. */
export function LadderCard({ project, book, ladder, panels, findings, isOpen }: Props) {
  const { t } = useTranslation();
  const [isEdited, edit] = useState(isOpen);
  const { name, alias, description, upset_limit: limit, may_skip: maySkip } = ladder;
  const standings = standingsOn(ladder, panels);
  return (
    <article className={styles.ladder}>
      <header>
        <h2>{name}</h2>
        {alias.length > 0 && <Dim>{t("story.ladders.also", { names: alias.join(t("content.and")) })}</Dim>}
        <Button
          className={styles.edit}
          kind="plain"
          aria-expanded={isEdited}
          aria-label={`${t("common.edit")}: ${name}`}
          onClick={() => edit(!isEdited)}
        >
          {isEdited ? t("common.close") : t("common.edit")}
        </Button>
      </header>
      {isEdited ? (
        <PieceForm
          key={ladder.id}
          project={project}
          kind="ladder"
          book={book}
          piece={ladder}
          name={name}
          onDone={() => edit(false)}
        />
      ) : (
        <>
          {description && <p>{description}</p>}
          <Steps ladder={ladder} />
          {maySkip && <Dim>{t("story.ladders.may_skip")}</Dim>}
          {limit > 0 && <Dim>{t("story.ladders.upset_limit", { count: limit })}</Dim>}
        </>
      )}
      <section className={styles.part} aria-label={`${name}: ${t("story.ladders.standing")}`}>
        <h3>{t("story.ladders.standing")}</h3>
        {standings.length === 0 && <Dim>{t("story.ladders.nobody")}</Dim>}
        <More
          items={standings}
          step={PEOPLE}
          within={(people) => standings.length > 0 && <ul className={styles.standings}>{people}</ul>}
        >
          {(standing) => (
            <Person
              key={standing.who + standing.row.mode + standing.row.key}
              project={project}
              book={book}
              standing={standing}
            />
          )}
        </More>
      </section>
      <PanelFindings project={project} book={book} findings={findings} />
    </article>
  );
}

function Person({ project, book, standing }: { project: string; book: Book; standing: Standing }) {
  const { t } = useTranslation();
  const { who, row } = standing;
  return (
    <li>
      <strong>
        <Name project={project} book={book} name={who} />
      </strong>
      <span>
        {shownValue(row)} {row.mode !== "narrated" && <Dim>{t(`story.mode.${row.mode}`)}</Dim>}
      </span>
      <Says project={project} book={book} says={row.says} />
    </li>
  );
}

function Steps({ ladder }: { ladder: Ladder }) {
  const { t } = useTranslation();
  if (ladder.steps.length === 0) return <Dim>{t("story.ladders.of_numbers")}</Dim>;
  return (
    <ol className={styles.steps}>
      {ladder.steps.map(({ name, alias, condition, costs, lifetime }) => {
        const paid = costs.map(({ what, amount }) => (amount > 0 ? `${what} ${amount}` : what));
        const about = [
          ["condition", condition],
          ["cost", paid.join(t("content.and"))],
          ["lifetime", lifetime],
        ] as const;
        return (
          <li key={name}>
            <strong>{name}</strong>
            {alias.length > 0 && (
              <Dim>{t("story.ladders.also", { names: alias.join(t("content.and")) })}</Dim>
            )}
            {about
              .filter(([, words]) => words !== "")
              .map(([label, words]) => (
                <span key={label}>
                  <Dim>{t(`story.ladders.${label}`)}</Dim> {words}
                </span>
              ))}
          </li>
        );
      })}
    </ol>
  );
}
