import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link, Redirect } from "wouter";
import { useProject } from "../api/queries";
import type { ProjectView } from "../api/story";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { at } from "../shell/places";
import { ChapterEditor } from "./ChapterEditor";
import { chaptersOf, lastOf, placeOf, remember } from "./chapters";
import { drop, orphans } from "./drafts";
import { Planned } from "./Planned";
import type { Opened } from "./useEditing";
import { loadText } from "./wire";

/** The chapter that the address names, to be written. */
export default function WritePage({ project, rest }: { project: string; rest: string | undefined }) {
  return (
    <Asked query={useProject(project)}>
      {(view) => <Found view={view} name={rest === undefined ? undefined : decodeURIComponent(rest)} />}
    </Asked>
  );
}

function Found({ view, name }: { view: ProjectView; name: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const chapters = chaptersOf(view.story);
  const place = name === undefined ? -1 : placeOf(chapters, name);
  const chapter = chapters[place];
  useEffect(() => {
    if (chapter) remember(project, chapter.id);
  }, [project, chapter]);

  const first = lastOf(project, chapters);
  if (!first) {
    return (
      <Page title={t("shell.nav.write")}>
        <Empty title={t("write.nothing")}>
          <p>{t("write.nothing_about")}</p>
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
  if (!chapter.document) return <Planned key={chapter.id} view={view} chapter={chapter} around={around} />;
  const { document } = chapter;
  return (
    <Opening key={document.id} project={project} document={document.id}>
      {(opened) => (
        <ChapterEditor view={view} chapter={chapter} document={document} around={around} opened={opened} />
      )}
    </Opening>
  );
}

type OpeningProps = {
  project: string;
  document: string;
  children: (opened: Opened) => ReactNode;
};

/** Loads the text once, fresh, and what this browser kept of it; from then on the editor has it. */
function Opening({ project, document, children }: OpeningProps) {
  const query = useQuery({
    queryKey: ["opening", project, document],
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
