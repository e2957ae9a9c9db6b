import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import type { PieceKind } from "../api/schema";
import type { ProjectView } from "../api/story";
import { ButtonLink } from "../parts/Button";
import { Page } from "../parts/Page";
import { Empty } from "../parts/states";
import { at } from "../shell/places";
import { language } from "../words";
import { type Piece, useBook } from "./book";
import styles from "./Encyclopedia.module.css";
import { EncyclopediaEntry } from "./EncyclopediaEntry";
import { useMentions } from "./mentions";
import { OfBook } from "./OfBook";
import { Choice, Split, useKindWords } from "./parts";

/** Everything of the story that has a name. */
export default function EncyclopediaPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

const ROW = 34;
const MOST = 500;
const left: readonly PieceKind[] = ["outline_node", "document"];

type Row = { key: string; heading: string } | { key: string; piece: Piece };

/** The entries that fit what is typed, by name or by kind, with a heading before each kind. */
export function rowsFor(
  pieces: readonly Piece[],
  typed: string,
  sorting: "name" | "kind",
  compare: (a: string, b: string) => number,
  words: (kind: PieceKind) => string,
): Row[] {
  const wanted = typed.trim().toLowerCase();
  const fitting = pieces.filter(
    ({ kind, name, alias }) =>
      !left.includes(kind) && [name, ...alias].some((word) => word.toLowerCase().includes(wanted)),
  );
  const kinds = [...new Set(fitting.map(({ kind }) => kind))];
  fitting.sort(
    (a, b) =>
      (sorting === "kind" ? kinds.indexOf(a.kind) - kinds.indexOf(b.kind) : 0) || compare(a.name, b.name),
  );
  return fitting.flatMap((piece, index): Row[] => {
    const row = { key: `${piece.kind} ${piece.id}`, piece };
    const isFirst = sorting === "kind" && fitting[index - 1]?.kind !== piece.kind;
    return isFirst ? [{ key: piece.kind, heading: words(piece.kind) }, row] : [row];
  });
}

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const words = useKindWords();
  const { project } = view.project;
  const book = useBook(view.story);
  const counts = useMentions(book);
  const frame = useRef<HTMLDivElement>(null);
  const [typed, type] = useState("");
  const [sorting, sort] = useState<"name" | "kind">("kind");
  const compare = useMemo(
    () => new Intl.Collator(language() === "zh" ? "zh-CN" : "en", { numeric: true }).compare,
    [],
  );
  const rows = useMemo(
    () => rowsFor(book.pieces, typed, sorting, compare, words),
    [book, typed, sorting, compare, words],
  );
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 10,
  });
  const wanted = rest && decodeURIComponent(rest);
  const firstRow = rows.find((row) => "piece" in row);
  const first = firstRow && "piece" in firstRow ? firstRow.piece : undefined;
  const chosen = book.pieces.find(({ id, kind }) => id === wanted && !left.includes(kind)) ?? first;
  const isEmpty = book.pieces.every(({ kind }) => left.includes(kind));
  return (
    <Page
      title={t("shell.nav.encyclopedia")}
      isWide
      actions={
        <Choice
          label={t("story.encyclopedia.sorting")}
          value={sorting}
          options={[
            ["kind", t("story.encyclopedia.by_kind")],
            ["name", t("story.encyclopedia.by_name")],
          ]}
          onChange={sort}
        />
      }
    >
      {isEmpty ? (
        <Empty title={t("story.encyclopedia.empty")}>
          <ButtonLink href={at.place(project, "characters")}>{t("story.characters.add")}</ButtonLink>
        </Empty>
      ) : (
        <Split>
          <div className={styles.index}>
            <input
              type="search"
              aria-label={t("story.filter")}
              placeholder={t("story.filter")}
              maxLength={MOST}
              value={typed}
              onChange={(event) => type(event.target.value)}
            />
            <nav ref={frame} className={styles.frame} aria-label={t("shell.nav.encyclopedia")}>
              <div style={{ height: list.getTotalSize() }}>
                {list.getVirtualItems().map(({ index, start }) => {
                  const row = rows[index];
                  if (!row) return null;
                  const style = { transform: `translateY(${start}px)`, height: ROW };
                  if ("heading" in row) {
                    return (
                      <h2 key={row.key} style={style}>
                        {row.heading}
                      </h2>
                    );
                  }
                  const { piece } = row;
                  return (
                    <button
                      key={row.key}
                      type="button"
                      style={style}
                      aria-current={piece === chosen}
                      onClick={() =>
                        go(`${at.place(project, "encyclopedia")}/${encodeURIComponent(piece.id)}`)
                      }
                    >
                      <span>{piece.name}</span>
                      {sorting === "name" && <small>{words(piece.kind)}</small>}
                    </button>
                  );
                })}
              </div>
            </nav>
            {rows.length === 0 && <Empty title={t("shell.palette.nothing")} />}
          </div>
          {chosen && (
            <EncyclopediaEntry
              key={chosen.kind + chosen.id}
              project={project}
              book={book}
              piece={chosen}
              counts={counts.get(chosen.id)}
            />
          )}
        </Split>
      )}
    </Page>
  );
}
