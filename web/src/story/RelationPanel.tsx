import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { Character } from "../api/story";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { Asked } from "../parts/states";
import { anchored } from "./anchors";
import type { Bond } from "./bonds";
import { type Book, fold } from "./book";
import { useFactWords } from "./facts";
import { ChapterLink, Name, PieceLink, Quote } from "./parts";
import styles from "./Relations.module.css";
import { useBondWord } from "./siblings";
import { isRecord } from "./tools";

/** A line between two, with the sentences that say so. */
export function BondCard({
  project,
  book,
  bond,
  onClose,
}: {
  project: string;
  book: Book;
  bond: Bond;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const wordOf = useBondWord(book.story.characters);
  const names = [bond.from, bond.to].map((id) => book.named(id)?.name ?? id);
  const facts = book.story.facts.filter(({ subject, object }) => {
    const ends = [book.named(subject)?.id, book.named(object)?.id];
    return ends.includes(bond.from) && ends.includes(bond.to);
  });
  return (
    <article className={styles.card}>
      <Title words={names.join(bond.isDirected ? " → " : " — ")} onClose={onClose} />
      <div>
        <Tag>{wordOf(bond)}</Tag>{" "}
        <Dim>{t("story.relations.strength", { share: Math.round(bond.strength * 100) })}</Dim>
      </div>
      <ul className={styles.says}>
        {bond.relations.map((relation) => (
          <li key={relation.id}>
            <Quote source={<Since relation={relation} />}>
              {relation.description || `${relation.from} — ${relation.to}`}
            </Quote>
          </li>
        ))}
      </ul>
      {facts.length > 0 && <h3>{t("story.relations.sentences")}</h3>}
      <ul className={styles.says}>
        {facts.map((fact) => {
          const told = book.chapterOf(fact.source?.document);
          return (
            <li key={fact.id}>
              <Quote
                source={told !== undefined && <ChapterLink project={project} book={book} number={told} />}
              >
                {fact.source?.quote ?? fact.predicate}
              </Quote>
            </li>
          );
        })}
      </ul>
    </article>
  );
}

function Since({ relation }: { relation: { since: string | null; until: string | null } }) {
  const { t } = useTranslation();
  const { since, until } = relation;
  return (
    <>
      {since ? t("story.relations.since", { when: since }) : t("story.relations.always")}
      {until && ` · ${t("story.relations.until", { when: until })}`}
    </>
  );
}

function Title({ words, onClose }: { words: string; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <header className={styles.title}>
      <h2>{words}</h2>
      <Button kind="plain" aria-label={t("common.close")} onClick={onClose}>
        <X size={16} aria-hidden />
      </Button>
    </header>
  );
}

type PersonProps = {
  project: string;
  book: Book;
  character: Character;
  chapter: number;
  onClose: () => void;
};

/** Somebody, with what holds of them at the end of a chapter. */
export function PersonCard({ project, book, character, chapter, onClose }: PersonProps) {
  const { t } = useTranslation();
  const { predicate } = useFactWords();
  const query = useQuery({
    queryKey: [...keys.project(project), "graph", chapter],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/graph", {
          params: { path: { project }, query: { as_of: `chapter:${chapter}`, most: 1 } },
        }),
      ),
  });
  return (
    <article className={styles.card}>
      <Title words={character.name} onClose={onClose} />
      <p>{character.arc || character.background}</p>
      <PieceLink
        project={project}
        piece={{ kind: "character", id: character.id, name: t("story.relations.open_card") }}
      />
      <h3>{t("story.relations.by_then", { chapter: t("common.chapter", { number: chapter }) })}</h3>
      <Asked query={query}>
        {({ graph }) => {
          const ties = tiesOf(graph, character.id);
          if (ties.length === 0) return <Dim>{t("story.facts.none")}</Dim>;
          return (
            <ul className={styles.says}>
              {ties.map((tie) => {
                const told = anchored(book, tie.anchor)?.chapter;
                const isFrom = fold(tie.from) === fold(character.name);
                return (
                  <li key={tie.from + tie.relation + tie.to + tie.anchor}>
                    <span>
                      {!isFrom && <Name project={project} book={book} name={tie.from} />}{" "}
                      <Dim>{predicate(tie.relation)}</Dim>{" "}
                      {isFrom && <Name project={project} book={book} name={tie.to} />}
                    </span>
                    {tie.anchor.startsWith("facts/") && (
                      <Quote
                        source={
                          told !== undefined && <ChapterLink project={project} book={book} number={told} />
                        }
                      >
                        {tie.quote}
                      </Quote>
                    )}
                  </li>
                );
              })}
            </ul>
          );
        }}
      </Asked>
    </article>
  );
}

/** An edge of the server's graph. */
type Tie = { from: string; relation: string; to: string; quote: string; anchor: string };

const TOLD_ELSEWHERE = ["appears_in", "participated_in", "visited", "happened_at", "told_in"];

/** What the graph has on somebody, without what other pages show better; each thing once. */
export function tiesOf(graph: unknown, id: string): Tie[] {
  const edges = isRecord(graph) && Array.isArray(graph.edges) ? graph.edges : [];
  const seen = new Set<string>();
  return edges.flatMap((edge: unknown) => {
    if (!isRecord(edge) || (edge.from_id !== id && edge.to_id !== id)) return [];
    const says = isRecord(edge.says) ? edge.says : {};
    const [from, relation, to, quote, anchor] = [
      edge.from,
      edge.relation,
      edge.to,
      says.quote,
      says.anchor,
    ].map((word) => (typeof word === "string" ? word : "")) as [string, string, string, string, string];
    const key = `${from} ${relation} ${to}`;
    if (TOLD_ELSEWHERE.includes(relation) || seen.has(key)) return [];
    seen.add(key);
    return [{ from, relation, to, quote, anchor }];
  });
}
