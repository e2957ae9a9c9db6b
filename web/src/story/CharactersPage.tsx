import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import type { Character, ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Cards, Tag } from "../parts/Card";
import { Page } from "../parts/Page";
import { Empty } from "../parts/states";
import { at } from "../shell/places";
import { type Book, useBook } from "./book";
import { CharacterCard } from "./CharacterCard";
import styles from "./Characters.module.css";
import { More } from "./More";
import { chaptersWith, useMentions } from "./mentions";
import { OfBook } from "./OfBook";
import { PieceForm } from "./PieceForm";
import { Medallion, Strip } from "./parts";

const empty = { id: "", role_type: "supporting" };

/** The cast; with an id in the address, one of them. */
export default function CharactersPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const { project } = view.project;
  const book = useBook(view.story);
  const counts = useMentions(book);
  const [isAdding, setAdding] = useState(false);
  const chosen =
    rest === undefined ? undefined : view.story.characters.find(({ id }) => id === decodeURIComponent(rest));
  if (chosen) {
    return (
      <CharacterCard
        key={chosen.id}
        project={project}
        book={book}
        character={chosen}
        counts={counts.get(chosen.id)}
      />
    );
  }
  const cast = inOrder(view.story.characters, counts);
  const isEmpty = cast.length === 0;
  return (
    <Page
      title={t("shell.nav.characters")}
      about={isEmpty ? undefined : t("story.characters.about", { count: cast.length })}
      actions={
        <Button
          kind={isEmpty ? "main" : undefined}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          {t("story.characters.add")}
        </Button>
      }
    >
      {isAdding && (
        <PieceForm
          project={project}
          kind="character"
          book={book}
          piece={empty}
          isNew
          onDone={() => setAdding(false)}
        />
      )}
      {rest !== undefined && (
        <Empty title={t("story.gone")}>
          <Button onClick={() => go(at.place(project, "characters"))}>{t("common.back")}</Button>
        </Empty>
      )}
      {isEmpty && !isAdding && (
        <Empty title={t("story.characters.empty")}>
          <Button kind="main" onClick={() => setAdding(true)}>
            {t("story.characters.add")}
          </Button>
        </Empty>
      )}
      <Cards>
        <More items={cast} step={120}>
          {(character) => (
            <Face
              key={character.id}
              project={project}
              book={book}
              character={character}
              counts={counts.get(character.id)}
            />
          )}
        </More>
      </Cards>
    </Page>
  );
}

const parts = ["protagonist", "antagonist", "supporting", "minor"];

/** The cast by part, and within by how often they are named. */
export function inOrder(cast: readonly Character[], counts: ReadonlyMap<string, number[]>): Character[] {
  const total = ({ id }: Character) => counts.get(id)?.reduce((sum, count) => sum + count, 0) ?? 0;
  return [...cast].sort(
    (a, b) => parts.indexOf(a.role_type) - parts.indexOf(b.role_type) || total(b) - total(a),
  );
}

type FaceProps = { project: string; book: Book; character: Character; counts: number[] | undefined };

function Face({ project, book, character, counts }: FaceProps) {
  const { t } = useTranslation();
  const { id, name, alias, age, role_type: role, traits, arc, occupation, gender } = character;
  const chapters = chaptersWith(counts);
  return (
    <Link href={at.character(project, id)} className={styles.face}>
      <header className={styles.head}>
        <Medallion project={project} card={id} name={name} role={role} isListed />
        <div>
          <h2 className={styles.name}>{name}</h2>
          <p className={styles.under}>
            {[
              t(`story.role.${role}`),
              gender,
              age === null ? "" : t("story.characters.age", { age }),
              occupation,
            ]
              .filter(Boolean)
              .join(" · ")}
          </p>
        </div>
      </header>
      {alias.length > 0 && <p className={styles.under}>{alias.join(" · ")}</p>}
      <div className={styles.traits}>
        {traits.map((trait) => (
          <Tag key={trait}>{trait}</Tag>
        ))}
      </div>
      {arc && <p className={styles.arc}>{arc}</p>}
      {book.written > 0 && (
        <footer className={styles.strip}>
          <Strip values={counts ?? []} label={t("story.characters.appears", { count: chapters })} />
          <span className={styles.under}>{t("story.characters.appears", { count: chapters })}</span>
        </footer>
      )}
    </Link>
  );
}
