import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { useChapters, useProject } from "../api/queries";
import type { ChapterRow } from "../api/schema";
import type { ProjectView } from "../api/story";
import { chaptersOf, placeOf } from "../chapters/list";
import { NewChapter } from "../chapters/NewChapter";
import { useChapterState } from "../chapters/state";
import { Page } from "../parts/Page";
import { Asked, Empty, Loading } from "../parts/states";
import { at } from "../shell/places";
import { ChapterEditor } from "./ChapterEditor";
import { lastOf, remember } from "./chapters";
import { drop, orphans } from "./drafts";
import { Planned } from "./Planned";
import { useOpenChapter } from "./useDesk";
import type { Opened } from "./useEditing";
import { loadText } from "./wire";

/** The chapter that the address names, to be written. */
export default function WritePage({ project, rest }: { project: string; rest: string | undefined }) {
  const name = rest === undefined ? undefined : decodeURIComponent(rest);
  const list = useChapters(project);
  return (
    <Asked query={useProject(project)}>
      {(view) => (
        <Asked query={list}>{({ chapters }) => <Found view={view} rows={chapters} name={name} />}</Asked>
      )}
    </Asked>
  );
}

type FoundProps = { view: ProjectView; rows: readonly ChapterRow[]; name: string | undefined };

function Found({ view, rows, name }: FoundProps) {
  const { t } = useTranslation();
  const { project } = view.project;
  const openings = useChapterState((state) => state.openings);
  const chapters = chaptersOf(rows, view.story);
  const place = name === undefined ? -1 : placeOf(chapters, name);
  const chapter = chapters[place];
  useEffect(() => {
    if (chapter) remember(project, chapter.id);
  }, [project, chapter]);
  useOpenChapter(project, chapter);

  const first = lastOf(project, chapters);
  if (!first) {
    return (
      <Page title={t("shell.nav.write")}>
        <Empty title={t("write.nothing")}>
          <p>{t("write.nothing_about")}</p>
          <NewChapter project={project} />
          <Link href={at.place(project, "outline")}>{t("shell.nav.outline")}</Link>
        </Empty>
      </Page>
    );
  }
  if (name === undefined) return <Redirect to={at.chapter(project, first.id)} replace />;
  if (!chapter) {
    return (
      <Page title={t("shell.nav.write")}>
        <Empty title={t("write.unknown")}>
          <p>{t("write.unknown_about")}</p>
          <Link href={at.chapter(project, first.id)}>{t("write.to_first")}</Link>
        </Empty>
      </Page>
    );
  }
  // The tree names a written chapter by its prose.
  if (chapter.id !== name) return <Redirect to={at.chapter(project, chapter.id)} replace />;
  const around = { previous: chapters[place - 1], next: chapters[place + 1] };
  // The list may know a text that the story, fetched a moment before, does not.
  if (!chapter.document && chapter.row?.documents.length) return <Loading />;
  if (!chapter.document) return <Planned key={chapter.id} view={view} chapter={chapter} around={around} />;
  const { document } = chapter;
  return (
    <Opening
      key={`${document.id}/${openings[document.id] ?? 0}`}
      project={project}
      document={document.id}
      opening={openings[document.id] ?? 0}
    >
      {(opened) => (
        <ChapterEditor view={view} chapter={chapter} document={document} around={around} opened={opened} />
      )}
    </Opening>
  );
}

type OpeningProps = {
  project: string;
  document: string;
  /** How often it was loaded before: another number loads the text again. */
  opening: number;
  children: (opened: Opened) => ReactNode;
};

/** Loads the text once, fresh, and what this browser kept of it; from then on the editor has it. */
function Opening({ project, document, opening, children }: OpeningProps) {
  const query = useQuery({
    queryKey: ["opening", project, document, opening],
    queryFn: async (): Promise<Opened> => {
      const [text, kept] = await Promise.all([loadText(project, document), orphans(project, document)]);
      // What the server has is no draft any more; the newest of the others is shown, an older one next time.
      const [draft] = kept.filter((found) => {
        if (found.text === text.text) drop(found);
        return found.text !== text.text;
      });
      return { ...text, draft };
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  return <Asked query={query}>{children}</Asked>;
}
