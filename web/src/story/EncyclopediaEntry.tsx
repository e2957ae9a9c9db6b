import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { PieceKind, Touched } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { Asked } from "../parts/states";
import { addressOf } from "./addresses";
import type { Book, Piece } from "./book";
import { Thumbnail } from "./CardPicture";
import styles from "./Encyclopedia.module.css";
import { FactCard } from "./FactCard";
import { factsAbout } from "./facts";
import { More } from "./More";
import { ChapterLink, PieceLink, Quote, Section, Strip, useKindWords } from "./parts";
import partStyles from "./parts.module.css";

type Props = { project: string; book: Book; piece: Piece; counts: number[] | undefined };

const SHOWN = 8;

/** All that is known of one entry, and what a change of it touches. */
export function EncyclopediaEntry({ project, book, piece, counts }: Props) {
  const { t } = useTranslation();
  const words = useKindWords();
  const facts = factsAbout(book, [piece.id, piece.name, ...piece.alias]);
  const [isAsked, ask] = useState(false);
  const named = (counts ?? []).flatMap((count, index) => (count > 0 ? [{ number: index + 1, count }] : []));
  return (
    <article className={styles.entry}>
      <header>
        <Thumbnail project={project} card={piece.id} />
        <h2>{piece.name}</h2>
        <Tag>{words(piece.kind)}</Tag>
        {piece.alias.length > 0 && <Dim>{piece.alias.join(" · ")}</Dim>}
        {piece.kind !== "plot_node" && (
          <Link href={addressOf(project, piece.kind, piece.id)} className={partStyles.link}>
            {t("common.open")}
          </Link>
        )}
      </header>
      {piece.about && <p className={styles.about}>{piece.about}</p>}
      {counts && named.length > 0 && (
        <Section title={t("story.encyclopedia.mentions")}>
          <Strip values={counts} label={t("story.characters.appears", { count: named.length })} />
          <div className={styles.named}>
            {named.map(({ number, count }) => (
              <span key={number}>
                <ChapterLink project={project} book={book} number={number} />{" "}
                {t("story.characters.times", { count })}
              </span>
            ))}
          </div>
        </Section>
      )}
      {facts.length > 0 && (
        <Section title={t("story.facts.about", { count: facts.length })}>
          <More items={facts} step={SHOWN} within={(shown) => <ul className={partStyles.facts}>{shown}</ul>}>
            {(fact) => <FactCard key={fact.id} project={project} book={book} fact={fact} />}
          </More>
        </Section>
      )}
      <Section title={t("story.encyclopedia.impact")}>
        {isAsked ? (
          <Impact project={project} book={book} piece={piece} />
        ) : (
          <div>
            <Button onClick={() => ask(true)}>{t("story.encyclopedia.show_impact")}</Button>
          </div>
        )}
      </Section>
    </article>
  );
}

const FAR = 200;

function Impact({ project, book, piece }: Pick<Props, "project" | "book" | "piece">) {
  const { t } = useTranslation();
  const words = useKindWords();
  const query = useQuery({
    queryKey: [...keys.project(project), "impact", piece.id],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/impact", {
          params: { path: { project }, query: { piece: piece.id, limit: FAR } },
        }),
      ),
  });
  return (
    <Asked query={query}>
      {(touched) => {
        if (touched.length === 0) return <Dim>{t("story.encyclopedia.no_impact")}</Dim>;
        const groups = byKind(touched);
        return (
          <>
            <p>{t("story.encyclopedia.touches", { count: touched.length })}</p>
            <dl className={styles.impact}>
              {groups.map(([kind, pieces]) => (
                <div key={kind}>
                  <dt>{words(kind)}</dt>
                  <dd>
                    {pieces.map((touch) => (
                      <Touch key={touch.piece} project={project} book={book} touch={touch} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </>
        );
      }}
    </Asked>
  );
}

function Touch({ project, book, touch }: { project: string; book: Book; touch: Touched }) {
  const { t } = useTranslation();
  const step = touch.path.at(-1);
  const through = touch.distance > 1 && step ? book.named(step.piece)?.name : undefined;
  return (
    <div className={styles.touch}>
      <PieceLink project={project} piece={{ kind: touch.kind, id: touch.piece, name: touch.label }} />{" "}
      <Dim>
        {step && t(`story.because.${step.because}`)}
        {through && ` · ${t("story.encyclopedia.through", { name: through })}`}
      </Dim>
      {touch.sentences.slice(0, 1).map(({ quote }) => (
        <Quote key={quote}>{quote ?? ""}</Quote>
      ))}
    </div>
  );
}

/** What is touched by its kind, the nearest first. */
function byKind(touched: readonly Touched[]): [PieceKind, Touched[]][] {
  const groups = new Map<PieceKind, Touched[]>();
  for (const touch of [...touched].sort((a, b) => a.distance - b.distance)) {
    const group = groups.get(touch.kind);
    if (group) group.push(touch);
    else groups.set(touch.kind, [touch]);
  }
  return [...groups];
}
