import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { CharacterPanel } from "../api/schema";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { Page } from "../parts/Page";
import { Asked, Empty, Failed } from "../parts/states";
import { type Book, laddersOf, useBook } from "./book";
import { waiverOf } from "./conflicts";
import { LadderCard } from "./LadderCard";
import styles from "./Ladders.module.css";
import { More } from "./More";
import { OfBook } from "./OfBook";
import { PanelView } from "./PanelView";
import { PieceForm } from "./PieceForm";
import { findingsAbout, LADDER_RULES } from "./panels";
import { ChapterSlider, Choice } from "./parts";
import { useCheck } from "./tools";

/** The ladders of the book and who stands where on them, or what somebody has in numbers, as of a chapter. */
export default function LaddersPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found key={rest} view={view} rest={rest} />}</OfBook>;
}

/** What the characters have in numbers at the end of a chapter. */
function usePanels(project: string, book: Book, chapter: number) {
  const shown = book.chapters[chapter - 1];
  const at = shown?.document?.id ?? shown?.node?.id;
  return useQuery({
    queryKey: [...keys.project(project), "panels", at ?? ""],
    placeholderData: keepPreviousData,
    queryFn: () =>
      answer(http.GET("/api/v1/projects/{project}/panels", { params: { path: { project }, query: { at } } })),
  });
}

type Look = "ladders" | "panels";

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const ladders = laddersOf(view.story);
  const wanted = rest && decodeURIComponent(rest);
  const person = view.story.characters.find(({ id }) => id === wanted);
  const [look, setLook] = useState<Look>(person ? "panels" : "ladders");
  const last = Math.max(1, book.written || book.chapters.length);
  const [chapter, setChapter] = useState(last);
  const [isAdding, setAdding] = useState(false);
  const panels = usePanels(project, book, useDeferredValue(chapter));
  const check = useCheck(project, LADDER_RULES);
  const findings = useMemo(
    () => findingsAbout(book, check.data?.findings.filter((finding) => !waiverOf(finding)) ?? []),
    [book, check.data],
  );
  // An early chapter may have no numbers in a book that has some.
  const isEmpty = ladders.length === 0 && panels.data?.length === 0 && chapter >= last;
  return (
    <Page
      title={t("shell.nav.ladders")}
      about={t("story.ladders.about")}
      isWide
      actions={
        <Button
          kind={isEmpty ? "main" : undefined}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          {t("story.ladders.add")}
        </Button>
      }
    >
      {isAdding && (
        <PieceForm
          project={project}
          kind="ladder"
          book={book}
          piece={{ id: "" }}
          isNew
          onDone={() => setAdding(false)}
        />
      )}
      {isEmpty && !isAdding && (
        <Empty title={t("story.ladders.empty")}>
          <Button kind="main" onClick={() => setAdding(true)}>
            {t("story.ladders.add")}
          </Button>
        </Empty>
      )}
      {!isEmpty && (
        <>
          <div className={styles.ask}>
            <Choice
              label={t("story.look")}
              value={look}
              options={[
                ["ladders", t("story.ladders.look_ladders")],
                ["panels", t("story.ladders.look_panels")],
              ]}
              onChange={setLook}
            />
            {book.chapters.length > 0 && <ChapterSlider book={book} value={chapter} onChange={setChapter} />}
          </div>
          {check.error && <Failed error={check.error} />}
          <Asked query={panels}>
            {(panels: CharacterPanel[]) =>
              look === "panels" ? (
                <PanelView
                  project={project}
                  book={book}
                  panels={panels}
                  findings={findings}
                  first={person?.name}
                />
              ) : (
                <div className={styles.ladders}>
                  {ladders.length === 0 && <Dim>{t("story.ladders.none")}</Dim>}
                  <More items={ladders} step={20}>
                    {(ladder) => (
                      <LadderCard
                        key={ladder.id}
                        project={project}
                        book={book}
                        ladder={ladder}
                        panels={panels}
                        findings={findings.ladders.get(ladder.id) ?? []}
                        isOpen={ladder.id === wanted}
                      />
                    )}
                  </More>
                </div>
              )
            }
          </Asked>
        </>
      )}
    </Page>
  );
}
