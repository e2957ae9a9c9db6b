import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProjectView } from "../api/story";
import { ButtonLink } from "../parts/Button";
import { Dim } from "../parts/Card";
import { Select } from "../parts/Field";
import { Page } from "../parts/Page";
import { Empty } from "../parts/states";
import { at } from "../shell/places";
import { type Book, useBook } from "./book";
import { FactCard } from "./FactCard";
import styles from "./Knowledge.module.css";
import { type Known, knowledgeAt } from "./knowledge";
import { More } from "./More";
import { OfBook } from "./OfBook";
import { Bar, ChapterLink, ChapterSlider, Name } from "./parts";
import partStyles from "./parts.module.css";

/** What one of the cast knows by a chapter, and what the reader knows beyond that. */
export default function KnowledgePage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const knowers = useMemo(() => knowersOf(book), [book]);
  const [who, setWho] = useState(rest ? decodeURIComponent(rest) : (knowers[0]?.id ?? ""));
  const [chapter, setChapter] = useState(Math.max(1, book.written));
  const knowledge = useMemo(() => knowledgeAt(book, who, chapter), [book, who, chapter]);
  const name = book.named(who)?.name ?? who;
  if (view.story.facts.length === 0 || knowers.length === 0) {
    return (
      <Page title={t("shell.nav.knowledge")} about={t("story.knowledge.about")}>
        <Empty title={t("story.knowledge.empty")}>
          <ButtonLink href={at.place(project, "write")}>{t("shell.nav.write")}</ButtonLink>
        </Empty>
      </Page>
    );
  }
  return (
    <Page title={t("shell.nav.knowledge")} about={t("story.knowledge.about")} isWide>
      <div className={styles.ask}>
        <Select label={t("story.knowledge.who")} value={who} onChange={(event) => setWho(event.target.value)}>
          {knowers.map(({ id, name, facts }) => (
            <option key={id} value={id}>
              {`${name} · ${facts}`}
            </option>
          ))}
        </Select>
        <ChapterSlider book={book} value={chapter} onChange={setChapter} />
      </div>
      <p role="status" className={styles.sum}>
        {t("story.knowledge.sum", {
          name,
          knows: knowledge.knows.length,
          believes: knowledge.believes.length,
          hidden: knowledge.hidden.length,
        })}
      </p>
      <div className={styles.columns}>
        <section>
          <h2>{t("story.knowledge.knows", { name })}</h2>
          <KnownList
            project={project}
            book={book}
            known={knowledge.knows}
            none={t("story.knowledge.knows_none")}
          />
          {knowledge.believes.length > 0 && (
            <>
              <h2>{t("story.knowledge.believes", { name })}</h2>
              <KnownList project={project} book={book} known={knowledge.believes} none="" />
            </>
          )}
        </section>
        <section>
          <h2>{t("story.knowledge.hidden", { name })}</h2>
          {knowledge.hidden.length === 0 && <Dim>{t("story.knowledge.hidden_none")}</Dim>}
          <More
            items={knowledge.hidden}
            step={SHOWN}
            within={(shown) => <ul className={partStyles.facts}>{shown}</ul>}
          >
            {({ fact }) => <FactCard key={fact.id} project={project} book={book} fact={fact} />}
          </More>
        </section>
      </div>
      <Bar>
        <Dim>{t("story.knowledge.note")}</Dim>
      </Bar>
    </Page>
  );
}

const SHOWN = 30;

type KnownProps = { project: string; book: Book; known: readonly Known[]; none: string };

function KnownList({ project, book, known, none }: KnownProps) {
  const { t } = useTranslation();
  if (known.length === 0) return <Dim>{none}</Dim>;
  return (
    <More items={known} step={SHOWN} within={(shown) => <ul className={partStyles.facts}>{shown}</ul>}>
      {({ fact, since, how, toldBy }) => (
        <FactCard key={fact.id} project={project} book={book} fact={fact}>
          <div className={partStyles.knowers}>
            <span>
              {t("story.knowledge.since")}{" "}
              {since === undefined ? (
                t("story.unknown")
              ) : (
                <ChapterLink project={project} book={book} number={since} />
              )}
            </span>
            {how && <span>{how}</span>}
            {toldBy && (
              <span>
                {t("story.knowledge.told_by")} <Name project={project} book={book} name={toldBy} />
              </span>
            )}
          </div>
        </FactCard>
      )}
    </More>
  );
}

/** Who can know something: the cast and whoever is said to know a fact, those first who know most. */
function knowersOf(book: Book): { id: string; name: string; facts: number }[] {
  const found = new Map(book.story.characters.map(({ id, name }) => [id, { id, name, facts: 0 }]));
  for (const fact of book.story.facts) {
    for (const { who } of fact.known_by) {
      const piece = book.named(who);
      const id = piece?.id ?? who;
      const knower = found.get(id) ?? { id, name: piece?.name ?? who, facts: 0 };
      found.set(id, { ...knower, facts: knower.facts + 1 });
    }
  }
  return [...found.values()].sort((a, b) => b.facts - a.facts);
}
