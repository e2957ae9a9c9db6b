import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Empty } from "../parts/states";
import { type Book, useBook } from "./book";
import { More } from "./More";
import { OfBook } from "./OfBook";
import { PieceForm } from "./PieceForm";
import { Split } from "./parts";
import styles from "./World.module.css";
import { type Thing, WorldThing } from "./WorldThing";

/** The world of the story: what it is like, its rules, places, powers and things. */
export default function WorldPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found key={rest} view={view} rest={rest} />}</OfBook>;
}

const kinds = ["world_rule", "location", "organisation", "item"] as const;
export type WorldKind = (typeof kinds)[number];

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const world = view.story.worldview;
  const book = useBook(view.story);
  const things: Record<WorldKind, readonly Thing[]> = {
    world_rule: world?.rules ?? [],
    location: world?.locations ?? [],
    organisation: world?.organisations ?? [],
    item: world?.items ?? [],
  };
  const wanted = rest && decodeURIComponent(rest);
  const found = kinds.find((kind) => things[kind].some(({ id }) => id === wanted));
  const [kind, setKind] = useState<WorldKind | undefined>(found);
  const [typed, type] = useState("");
  const [isAdding, setAdding] = useState(false);
  const shown = kind ? things[kind].filter((thing) => fits(thing, typed)) : [];
  const choose = (next: WorldKind | undefined) => {
    setKind(next);
    setAdding(false);
    type("");
  };
  return (
    <Page
      title={t("shell.nav.world")}
      about={[world?.genre, world?.era].filter(Boolean).join(" · ") || undefined}
      isWide
      actions={
        kind && (
          <Button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
            {t(`story.world.add.${kind}`)}
          </Button>
        )
      }
    >
      <Split>
        <nav className={styles.kinds} aria-label={t("story.world.kinds")}>
          <button type="button" aria-current={kind === undefined} onClick={() => choose(undefined)}>
            {t("story.kind.worldview")}
          </button>
          {kinds.map((each) => (
            <button key={each} type="button" aria-current={kind === each} onClick={() => choose(each)}>
              {t(`story.world.several.${each}`)}
              <span>{things[each].length}</span>
            </button>
          ))}
        </nav>
        <div className={styles.things}>
          {kind === undefined && <Frame project={project} book={book} />}
          {kind !== undefined && (
            <>
              {things[kind].length > 0 && (
                <input
                  type="search"
                  className={styles.filter}
                  aria-label={t("story.filter")}
                  placeholder={t("story.filter")}
                  value={typed}
                  onChange={(event) => type(event.target.value)}
                />
              )}
              {isAdding && (
                <PieceForm
                  project={project}
                  kind={kind}
                  book={book}
                  piece={{ id: "" }}
                  isNew
                  onDone={() => setAdding(false)}
                />
              )}
              {things[kind].length === 0 && !isAdding && (
                <Empty title={t(`story.world.none.${kind}`)}>
                  <Button kind="main" onClick={() => setAdding(true)}>
                    {t(`story.world.add.${kind}`)}
                  </Button>
                </Empty>
              )}
              {things[kind].length > 0 && shown.length === 0 && <Empty title={t("shell.palette.nothing")} />}
              <More items={shown} step={50}>
                {(thing) => (
                  <WorldThing
                    key={thing.id}
                    project={project}
                    book={book}
                    kind={kind}
                    thing={thing}
                    isOpen={thing.id === wanted}
                  />
                )}
              </More>
            </>
          )}
        </div>
      </Split>
    </Page>
  );
}

function fits({ name, alias = [], ...rest }: Thing, typed: string): boolean {
  const wanted = typed.trim().toLowerCase();
  return [name, ...alias, ...Object.values(rest).map(String)].some((word) =>
    word.toLowerCase().includes(wanted),
  );
}

function Frame({ project, book }: { project: string; book: Book }) {
  const { t } = useTranslation();
  const world = book.story.worldview;
  const [isEdited, edit] = useState(false);
  if (isEdited) {
    return (
      <PieceForm
        project={project}
        kind="worldview"
        book={book}
        piece={{ ...world }}
        onDone={() => edit(false)}
      />
    );
  }
  if (!world?.summary) {
    return (
      <Empty title={t("story.world.empty")}>
        <Button kind="main" onClick={() => edit(true)}>
          {t("story.world.describe")}
        </Button>
      </Empty>
    );
  }
  return (
    <article className={styles.summary}>
      <p>{world.summary}</p>
      <div>
        <Button onClick={() => edit(true)}>{t("common.edit")}</Button>
      </div>
    </article>
  );
}
