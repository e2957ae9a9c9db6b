import { useTranslation } from "react-i18next";
import type { Fact } from "../api/story";
import { Dim, Tag } from "../parts/Card";
import type { Book } from "./book";
import { useFactWords } from "./facts";
import { isCertain, toldIn } from "./knowledge";
import { ChapterLink, Name, Quote } from "./parts";
import styles from "./parts.module.css";

type Props = { project: string; book: Book; fact: Fact; children?: React.ReactNode };

/** A fact with the sentence that asserts it; `children` is what is said of it here. */
export function FactCard({ project, book, fact, children }: Props) {
  const { t } = useTranslation();
  const { predicate, value } = useFactWords();
  const told = toldIn(book, fact);
  return (
    <li className={styles.fact} data-unsure={!isCertain(fact)}>
      <div className={styles.triple}>
        <strong>
          <Name project={project} book={book} name={fact.subject} />
        </strong>
        <em>{predicate(fact.predicate)}</em>
        <span>{fact.object ? <Name project={project} book={book} name={fact.object} /> : value(fact)}</span>
        {fact.mode !== "narrated" && (
          <Tag>
            {t(`story.mode.${fact.mode}`)}
            {fact.by && ` · ${fact.by}`}
          </Tag>
        )}
        {fact.from !== "" && book.chapterOf(fact.from) !== told && <Dim>{fact.from}</Dim>}
      </div>
      {fact.source?.quote && (
        <Quote source={told !== undefined && <ChapterLink project={project} book={book} number={told} />}>
          {fact.source.quote}
        </Quote>
      )}
      {children}
    </li>
  );
}

/** Who knows a fact, since when and how. */
export function Knowers({ project, book, fact }: { project: string; book: Book; fact: Fact }) {
  const { t } = useTranslation();
  if (fact.known_by.length === 0) return <Dim>{t("story.facts.nobody")}</Dim>;
  return (
    <div className={styles.knowers}>
      {fact.known_by.map((knower) => (
        <span key={knower.who + knower.since}>
          <Name project={project} book={book} name={knower.who} />
          {knower.how && ` · ${knower.how}`}
          {knower.told_by && ` · ${t("story.facts.told_by", { name: knower.told_by })}`}
          {knower.since && ` · ${knower.since}`}
        </span>
      ))}
    </div>
  );
}
