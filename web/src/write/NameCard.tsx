import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Tag } from "../parts/Card";
import { addressOf } from "../story/addresses";
import type { Book, Piece } from "../story/book";
import { Thumbnail } from "../story/CardPicture";
import { factsAbout, useFactWords } from "../story/facts";
import { isCertain, toldIn } from "../story/knowledge";
import { Medallion, useKindWords } from "../story/parts";
import { besides } from "./ReferenceList";
import styles from "./References.module.css";
import type { Reference } from "./references";
import type { Beside } from "./useReferences";

export type LookedUp = { reference: Reference; place: Beside };

type Props = {
  project: string;
  book: Book;
  /** The chapter that is written: what is told later is left out. */
  chapter: number | undefined;
  looked: LookedUp;
  /** Whether the mouse only points at the name: the caret then stays in the text. */
  isPointed?: boolean;
  onClose(): void;
};

const FACTS = 5;

/** Who or what a name in the text is, as far as this chapter may know. */
export function NameCard({
  project,
  book,
  chapter,
  looked: { reference, place },
  isPointed,
  onClose,
}: Props) {
  const { t } = useTranslation();
  const kindOf = useKindWords();
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!isPointed) card.current?.focus({ preventScroll: true });
  }, [isPointed]);
  const { piece } = reference;
  const character =
    piece.kind === "character" ? book.story.characters.find(({ id }) => id === piece.id) : undefined;
  const line = character
    ? [
        t(`story.role.${character.role_type}`),
        character.age === null ? "" : t("story.characters.age", { age: character.age }),
        character.occupation,
      ]
    : [kindOf(piece.kind)];
  return (
    <div
      ref={card}
      role="dialog"
      aria-label={piece.name}
      tabIndex={-1}
      className={`${styles.float} ${styles.card}`}
      style={besides(place)}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        onClose();
      }}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof Node && !currentTarget.contains(relatedTarget)) onClose();
      }}
    >
      <header>
        {character ? (
          <Medallion project={project} card={piece.id} name={piece.name} role={character.role_type} />
        ) : (
          <Thumbnail project={project} card={piece.id} />
        )}
        <div>
          <strong>{piece.name}</strong>
          <small className={styles.dim}>{line.filter(Boolean).join(" · ")}</small>
        </div>
        <button type="button" aria-label={t("common.close")} onClick={onClose}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <PieceTold book={book} piece={piece} chapter={chapter} />
      <Link href={addressOf(project, piece.kind, piece.id)}>{t("write.references.open")}</Link>
    </div>
  );
}

type ToldProps = { book: Book; piece: Piece; chapter: number | undefined };

/** The body of a card: other names, a description, and the facts that the text has told. */
export function PieceTold({ book, piece, chapter }: ToldProps) {
  return (
    <>
      {piece.alias.length > 0 && (
        <p className={styles.names}>
          {piece.alias.map((name) => (
            <Tag key={name}>{name}</Tag>
          ))}
        </p>
      )}
      {piece.about && <p>{piece.about}</p>}
      <Facts book={book} names={[piece.id, piece.name, ...piece.alias]} chapter={chapter} />
    </>
  );
}

type FactsProps = { book: Book; names: readonly string[]; chapter: number | undefined };

/** The facts that the text has told by the end of the chapter, the newest first. */
function Facts({ book, names, chapter }: FactsProps) {
  const { t } = useTranslation();
  const { predicate, value } = useFactWords();
  const told = factsAbout(book, names)
    .map((fact) => ({ fact, told: toldIn(book, fact) }))
    .filter(({ told }) => chapter === undefined || (told !== undefined && told <= chapter))
    .sort((a, b) => (b.told ?? 0) - (a.told ?? 0))
    .slice(0, FACTS);
  if (told.length === 0) return null;
  return (
    <>
      <h3>{t("write.references.told")}</h3>
      <ul>
        {told.map(({ fact, told }) => (
          <li key={fact.id} data-unsure={!isCertain(fact)}>
            <span>
              {fact.subject} {predicate(fact.predicate)} {value(fact)}
              {fact.mode !== "narrated" && ` (${t(`story.mode.${fact.mode}`)})`}
            </span>
            {told !== undefined && (
              <small className={styles.dim}>{t("common.chapter", { number: told })}</small>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
