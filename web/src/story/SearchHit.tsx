import { useTranslation } from "react-i18next";
import { Dim, Tag } from "../parts/Card";
import { chapterOfPiece } from "./anchors";
import type { Book } from "./book";
import { useFactWords } from "./facts";
import { literally } from "./mentions";
import { ChapterLink, PieceLink, useKindWords } from "./parts";
import styles from "./Search.module.css";
import type { Hit } from "./search";

type Props = { project: string; book: Book; hit: Hit };

/** What was found, and why. */
export function SearchHit({ project, book, hit }: Props) {
  const words = useKindWords();
  const { t } = useTranslation();
  const { chunk, book: earlier } = hit;
  const { kind, id } = chunk.source;
  // The pieces of an earlier book are not among those of this one, whatever their ids are.
  const own = earlier ? undefined : book;
  const subject =
    kind === "fact" ? own?.named(book.story.facts.find((fact) => fact.id === id)?.subject) : undefined;
  const goal = subject ?? { kind, id };
  const found = own?.pieces.find((piece) => piece.kind === kind && piece.id === id);
  const name = earlier ? chunk.heading || undefined : found?.name;
  const chapter = own && chapterOfPiece(own, kind, id);
  const [title, ...rest] = chunk.text.split("\n");
  const text = kind === "document" ? chunk.text : rest.join("\n") || title || "";
  const terms = hit.keyword?.terms.map(({ term }) => term) ?? [];
  return (
    <li className={styles.hit}>
      <header>
        <Tag>{words(kind)}</Tag>
        <strong>
          <PieceLink project={earlier?.project ?? project} piece={{ ...goal, name: name ?? title ?? id }} />
        </strong>
        {earlier && <Tag>{t("story.search.of_book", { title: earlier.title })}</Tag>}
        {chapter !== undefined && kind !== "document" && (
          <ChapterLink project={project} book={book} number={chapter} />
        )}
      </header>
      <p className={styles.text}>
        {marked(text, terms).map(({ key, words, isHit }) => (isHit ? <mark key={key}>{words}</mark> : words))}
      </p>
      <Why hit={hit} />
      {hit.suspicious && <Dim>{t("story.search.suspicious")}</Dim>}
    </li>
  );
}

/** The reasons for a hit in words: what it has of the words, how near it is in meaning, what ties it to what is asked. */
function Why({ hit }: { hit: Hit }) {
  const { t } = useTranslation();
  const { predicate } = useFactWords();
  const { keyword, vector, way, emphasis } = hit;
  const reasons = [
    keyword &&
      t("story.search.by_words", {
        rank: keyword.rank,
        words: keyword.terms.map(({ term }) => term).join(", "),
      }),
    vector && t("story.search.by_meaning", { rank: vector.rank, share: Math.round(vector.score * 100) }),
    ...(way?.ties.map(({ from, relation, to }) =>
      t("story.search.by_tie", { tie: `${from} ${predicate(relation)} ${to}` }),
    ) ?? []),
    emphasis > 1 && t("story.search.emphasis"),
  ].filter((reason) => typeof reason === "string");
  return (
    <ul className={styles.why} aria-label={t("story.search.why")}>
      {reasons.map((reason) => (
        <li key={reason}>{reason}</li>
      ))}
    </ul>
  );
}

/** A text in parts, with those that hold a term of the question. */
export function marked(
  text: string,
  terms: readonly string[],
): { key: number; words: string; isHit: boolean }[] {
  const wanted = terms.filter((term) => term.trim() !== "").sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return [{ key: 0, words: text, isHit: false }];
  const parts = text.split(new RegExp(`(${wanted.map(literally).join("|")})`, "giu"));
  return parts
    .map((words, key) => ({ key, words, isHit: key % 2 === 1 }))
    .filter(({ words }) => words !== "");
}
