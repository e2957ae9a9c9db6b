import { useMutation } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProjectView } from "../api/story";
import { safeName, save } from "../content/files";
import { Button, ButtonLink } from "../parts/Button";
import { Page } from "../parts/Page";
import { pngOf } from "../parts/png";
import { Empty, Failed } from "../parts/states";
import { at } from "../shell/places";
import { bonds, type Chosen, holdsAt, keyOf, type Tone, tone, tones } from "./bonds";
import { useBook } from "./book";
import { firstOf, useMentions } from "./mentions";
import { OfBook } from "./OfBook";
import { PieceForm } from "./PieceForm";
import { Bar, ChapterSlider, Choice } from "./parts";
import { RelationGraph } from "./RelationGraph";
import { BondCard, PersonCard } from "./RelationPanel";
import styles from "./Relations.module.css";
import { RelationTable } from "./RelationTable";
import { pageResolve, relationPicture } from "./relationPicture";

/** Who is what to whom, as a graph or as a table. */
export default function RelationsPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const counts = useMentions(book);
  const [look, setLook] = useState<"graph" | "table">("graph");
  const [chapter, setChapter] = useState(Math.max(1, book.written || book.chapters.length));
  const [hidden, hide] = useState<ReadonlySet<Tone>>(new Set());
  const [chosen, choose] = useState<Chosen | undefined>(rest ? { kind: "person", id: rest } : undefined);
  const [isAdding, setAdding] = useState(false);
  const [isNaming, setNaming] = useState(false);
  const relations = useMemo(
    () =>
      view.story.character_relations.filter(
        (relation) => holdsAt(book, relation, chapter) && !hidden.has(tone(relation.type)),
      ),
    [view.story, book, chapter, hidden],
  );
  const lines = useMemo(() => bonds(book, relations), [book, relations]);
  const all = useMemo(() => bonds(book, view.story.character_relations), [book, view.story]);
  const faint = useMemo(() => notYet(view, counts, chapter), [view, counts, chapter]);
  const bond = chosen?.kind === "bond" ? lines.find((line) => keyOf(line) === chosen.key) : undefined;
  const person =
    chosen?.kind === "person" ? view.story.characters.find(({ id }) => id === chosen.id) : undefined;
  const isEmpty = view.story.characters.length === 0;
  const picture = useMutation({
    mutationFn: async () => {
      const { title } = view.project;
      const now = book.chapters[chapter - 1]?.title ?? t("common.chapter", { number: chapter });
      const drawing = relationPicture({
        characters: view.story.characters,
        all,
        lines,
        faint,
        caption: `${title} · ${t("story.relations.by_then", { chapter: now })}`,
        nameOf: (kind) => t(`story.relation.${kind}`),
        resolve: pageResolve(),
      });
      save(await pngOf(drawing), `${safeName(title)} ${t("shell.nav.relations")}.png`);
    },
  });
  return (
    <Page
      title={t("shell.nav.relations")}
      isWide
      actions={
        <>
          <Choice
            label={t("story.look")}
            value={look}
            options={[
              ["graph", t("story.relations.graph")],
              ["table", t("story.relations.table")],
            ]}
            onChange={setLook}
          />
          <Button
            disabled={isEmpty || look !== "graph" || picture.isPending}
            onClick={() => picture.mutate()}
          >
            {t("story.relations.picture")}
          </Button>
          <Button aria-expanded={isNaming} onClick={() => setNaming(!isNaming)}>
            {t("story.relations.own_kinds")}
          </Button>
          <Button disabled={isEmpty} aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            {t("story.relations.add")}
          </Button>
        </>
      }
    >
      {picture.error && <Failed error={picture.error} onRetry={() => picture.mutate()} />}
      {isNaming && (
        <PieceForm
          project={project}
          kind="worldview"
          book={book}
          piece={{ ...view.story.worldview }}
          isNew={view.story.worldview === null}
          only={["relation_kinds"]}
          onDone={() => setNaming(false)}
        />
      )}
      {isAdding && (
        <PieceForm
          project={project}
          kind="relation"
          book={book}
          piece={{ id: "", strength: 0.5 }}
          isNew
          onDone={() => setAdding(false)}
        />
      )}
      {isEmpty && (
        <Empty title={t("story.characters.empty")}>
          <ButtonLink href={at.place(project, "characters")}>{t("story.characters.add")}</ButtonLink>
        </Empty>
      )}
      {!isEmpty && (
        <Bar>
          <Filter hidden={hidden} onChange={hide} />
          {book.chapters.length > 1 && <ChapterSlider book={book} value={chapter} onChange={setChapter} />}
        </Bar>
      )}
      {!isEmpty && look === "graph" && (
        <div className={styles.stage}>
          <RelationGraph
            project={project}
            characters={view.story.characters}
            all={all}
            lines={lines}
            faint={faint}
            chosen={chosen}
            onChoose={choose}
          />
          {(bond ?? person) && (
            <aside className={styles.panel} aria-label={t("story.relations.chosen")}>
              {bond && (
                <BondCard project={project} book={book} bond={bond} onClose={() => choose(undefined)} />
              )}
              {person && (
                <PersonCard
                  project={project}
                  book={book}
                  character={person}
                  chapter={chapter}
                  onClose={() => choose(undefined)}
                />
              )}
            </aside>
          )}
        </div>
      )}
      {!isEmpty && look === "table" && <RelationTable project={project} book={book} relations={relations} />}
    </Page>
  );
}

/** Those who have not appeared by the end of a chapter. */
function notYet(
  view: ProjectView,
  counts: ReadonlyMap<string, number[]>,
  chapter: number,
): ReadonlySet<string> {
  const hasProse = view.story.documents.length > 0;
  const late = view.story.characters.filter(({ id }) => {
    const first = firstOf(counts.get(id));
    return hasProse && (first === undefined || first > chapter);
  });
  return new Set(late.map(({ id }) => id));
}

function Filter({
  hidden,
  onChange,
}: {
  hidden: ReadonlySet<Tone>;
  onChange: (hidden: ReadonlySet<Tone>) => void;
}) {
  const { t } = useTranslation();
  const turn = (kind: Tone) => {
    const next = new Set(hidden);
    if (!next.delete(kind)) next.add(kind);
    onChange(next);
  };
  return (
    <fieldset className={styles.filter}>
      <legend className="unseen">{t("story.filter")}</legend>
      {tones.map((kind) => (
        <label key={kind}>
          <input type="checkbox" checked={!hidden.has(kind)} onChange={() => turn(kind)} />
          <i data-tone={kind} aria-hidden />
          {t(`story.tone.${kind}`)}
        </label>
      ))}
    </fieldset>
  );
}
