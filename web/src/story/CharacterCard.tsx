import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { Character, Relation } from "../api/story";
import { Dim } from "../parts/Card";
import { Page } from "../parts/Page";
import { at } from "../shell/places";
import { type Book, fold } from "./book";
import { CardPicture } from "./CardPicture";
import { CharacterArc } from "./CharacterArc";
import styles from "./Characters.module.css";
import { FactCard, Knowers } from "./FactCard";
import { factsAbout } from "./facts";
import { More } from "./More";
import { chaptersWith } from "./mentions";
import { PieceForm } from "./PieceForm";
import { ChapterLink, Medallion, Name, Section, Strip } from "./parts";
import partStyles from "./parts.module.css";
import { useBondWord } from "./siblings";

type Props = { project: string; book: Book; character: Character; counts: number[] | undefined };

const SHOWN = 12;

/** One of the cast: where they appear, what is between them and others, what is known of them, and all their fields. */
export function CharacterCard({ project, book, character, counts = [] }: Props) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const list = at.place(project, "characters");
  const { name, role_type: role, alias, age, occupation, arc, gender } = character;
  const line = [
    t(`story.role.${role}`),
    gender,
    age === null ? "" : t("story.characters.age", { age }),
    occupation,
    ...alias,
  ];
  return (
    <Page title={name} actions={<Link href={list}>{t("story.characters.all")}</Link>}>
      <header className={styles.lead}>
        <Medallion project={project} card={character.id} name={name} role={role} />
        <div>
          <span className={styles.under}>{line.filter(Boolean).join(" · ")}</span>
          <p>{arc}</p>
        </div>
      </header>
      <Looks character={character} />
      <CardPicture project={project} card={character.id} name={name} />
      <Appearances project={project} book={book} counts={counts} />
      <CharacterArc project={project} book={book} character={character.id || name} />
      <Relations project={project} book={book} character={character} />
      <Section title={t("story.characters.card")}>
        <PieceForm
          key={character.id}
          project={project}
          kind="character"
          book={book}
          piece={character}
          name={name}
          onDone={(how) => how === "deleted" && go(list)}
        />
      </Section>
      <Facts project={project} book={book} character={character} />
    </Page>
  );
}

/** How somebody looks, and what else the author notes of them, in the author's order. */
function Looks({ character: { appearance = "", custom = [] } }: Pick<Props, "character">) {
  const { t } = useTranslation();
  const rows = [
    ...(appearance === "" ? [] : [{ name: t("story.field.appearance"), value: appearance }]),
    ...custom.filter(({ value }) => value !== ""),
  ];
  if (rows.length === 0) return null;
  return (
    <dl className={styles.looks}>
      {rows.map(({ name, value }) => (
        <div key={name + value}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Appearances({ project, book, counts }: { project: string; book: Book; counts: number[] }) {
  const { t } = useTranslation();
  const named = counts.flatMap((count, index) => (count > 0 ? [{ number: index + 1, count }] : []));
  return (
    <Section title={t("story.characters.appearances")}>
      {named.length === 0 && <Dim>{t("story.characters.nowhere")}</Dim>}
      {named.length > 0 && (
        <div className={styles.wide}>
          <Strip values={counts} label={t("story.characters.appears", { count: chaptersWith(counts) })} />
        </div>
      )}
      <div className={styles.appearances}>
        {named.map(({ number, count }) => (
          <span key={number}>
            <ChapterLink project={project} book={book} number={number} />{" "}
            {t("story.characters.times", { count })}
          </span>
        ))}
      </div>
    </Section>
  );
}

function Relations({ project, book, character }: Omit<Props, "counts">) {
  const { t } = useTranslation();
  const wordOf = useBondWord(book.story.characters);
  const names = new Set([character.id, character.name, ...character.alias].map(fold));
  const relations: Relation[] = book.story.character_relations.filter(
    ({ from, to }) => names.has(fold(from)) || names.has(fold(to)),
  );
  return (
    <Section title={t("shell.nav.relations")}>
      {relations.length === 0 && <Dim>{t("story.relations.none")}</Dim>}
      <ul className={relations.length > 0 ? styles.relations : undefined}>
        {relations.map((relation) => {
          const isFrom = names.has(fold(relation.from));
          const kind = wordOf({ kind: relation.type, own: relation.own_kind ?? "", relations: [relation] });
          return (
            <li key={relation.id}>
              <span>
                <Name project={project} book={book} name={isFrom ? relation.to : relation.from} />
              </span>
              <span>{isFrom ? kind : t("story.relations.from_them", { kind })}</span>
              <Dim>
                {relation.description}
                {relation.since && ` · ${t("story.relations.since", { when: relation.since })}`}
                {relation.until && ` · ${t("story.relations.until", { when: relation.until })}`}
              </Dim>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

function Facts({ project, book, character }: Omit<Props, "counts">) {
  const { t } = useTranslation();
  const facts = factsAbout(book, [character.id, character.name, ...character.alias]);
  return (
    <Section title={t("story.facts.about", { count: facts.length })}>
      {facts.length === 0 && <Dim>{t("story.facts.none")}</Dim>}
      <More items={facts} step={SHOWN} within={(shown) => <ul className={partStyles.facts}>{shown}</ul>}>
        {(fact) => (
          <FactCard key={fact.id} project={project} book={book} fact={fact}>
            <Knowers project={project} book={book} fact={fact} />
          </FactCard>
        )}
      </More>
    </Section>
  );
}
