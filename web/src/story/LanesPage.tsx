import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useChapters } from "../api/queries";
import type { ChapterRow } from "../api/schema";
import type { ProjectView } from "../api/story";
import { ButtonLink } from "../parts/Button";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { at } from "../shell/places";
import { BookLanes } from "./BookLanes";
import { lanesOf } from "./bookLanes";
import { OfBook } from "./OfBook";
import styles from "./Outline.module.css";
import { useLengths } from "./useOutline";

/** The book as lanes: volumes, arcs, and their chapters as cards that can be moved. */
export default function LanesPage({ project }: { project: string; rest: string | undefined }) {
  const query = useChapters(project);
  return (
    <OfBook project={project}>
      {(view) => <Asked query={query}>{({ chapters }) => <Found view={view} rows={chapters} />}</Asked>}
    </OfBook>
  );
}

function Found({ view, rows }: { view: ProjectView; rows: readonly ChapterRow[] }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const { story } = view;
  const lengthOf = useLengths(story);
  const lanes = useMemo(() => {
    const states = new Map(view.chapters.map(({ document, state }) => [document, state]));
    return lanesOf(rows, story, { lengthOf, stateOf: (document) => states.get(document) });
  }, [rows, story, view.chapters, lengthOf]);
  return (
    <Page title={t("shell.nav.lanes")} isWide>
      {lanes.length === 0 ? (
        <Empty title={t("story.lanes.empty")}>
          <ButtonLink href={at.place(project, "outline")}>{t("story.lanes.outline")}</ButtonLink>
        </Empty>
      ) : (
        <>
          <p className={styles.hint}>{t("story.lanes.hint")}</p>
          <BookLanes project={project} lanes={lanes} />
        </>
      )}
    </Page>
  );
}
