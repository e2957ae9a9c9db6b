import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import type { Book } from "./book";
import { CardPicture, Thumbnail } from "./CardPicture";
import { useFactWords } from "./facts";
import { PieceForm } from "./PieceForm";
import { Name } from "./parts";
import { Ways } from "./Ways";
import styles from "./World.module.css";
import type { WorldKind } from "./WorldPage";
import { type Clause, clauseOf } from "./world";

/** What the kinds of things in the world have in common. */
export type Thing = {
  id: string;
  name: string;
  alias?: string[];
  description?: string;
  statement?: string;
  limit?: string;
  holder?: string | null;
};

type Props = { project: string; book: Book; kind: WorldKind; thing: Thing; isOpen: boolean };

/** A rule, place, power or thing; its fields open below it. */
export function WorldThing({ project, book, kind, thing, isOpen }: Props) {
  const { t } = useTranslation();
  const [isEdited, edit] = useState(isOpen);
  const isPictured = kind !== "world_rule";
  const { name, alias = [], description, statement, limit, holder } = thing;
  return (
    <article className={styles.thing}>
      <header>
        {isPictured && <Thumbnail project={project} card={thing.id} isListed />}
        <h2>{name}</h2>
        {alias.length > 0 && <Dim>{alias.join(" · ")}</Dim>}
        <Button
          className={styles.open}
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
          project={project}
          kind={kind}
          book={book}
          piece={thing}
          name={name}
          onDone={() => edit(false)}
        />
      ) : (
        <>
          <p className={statement ? styles.statement : undefined}>{statement ?? description}</p>
          {limit && (
            <p>
              <Dim>{t("story.world.limit")}</Dim> {limit}
            </p>
          )}
          {holder && (
            <p>
              <Dim>{t("story.world.holder")}</Dim> <Name project={project} book={book} name={holder} />
            </p>
          )}
        </>
      )}
      {isEdited && isPictured && <CardPicture project={project} card={thing.id} name={name} />}
      {kind === "world_rule" &&
        (["forbids", "demands"] as const).map((name) => {
          const clause = clauseOf(thing, name);
          return clause && <ClauseLine key={name} name={name} clause={clause} />;
        })}
      {kind === "location" && <Ways project={project} book={book} place={thing} isEdited={isEdited} />}
    </article>
  );
}

function ClauseLine({ name, clause }: { name: "forbids" | "demands"; clause: Clause }) {
  const { t } = useTranslation();
  const { predicate } = useFactWords();
  const what = [
    clause.who || t("story.world.everybody"),
    t(`story.world.${name}`),
    predicate(clause.predicate || "is_at"),
    clause.object,
    clause.place && t("story.world.at", { place: clause.place }),
    clause.unless.length > 0 && t("story.world.unless", { who: clause.unless.join(", ") }),
  ];
  return <p className={styles.clause}>{what.filter(Boolean).join(" ")}</p>;
}
