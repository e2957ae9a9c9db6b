import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { useProject } from "../api/queries";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Asked } from "../parts/states";
import { Section } from "../settings/parts/parts";
import { Tabs } from "../settings/parts/Tabs";
import { Told } from "../settings/parts/Told";
import { BookTab } from "./BookTab";
import { ChaptersTab } from "./ChaptersTab";
import { ContentTab } from "./ContentTab";
import { FiguresTab } from "./FiguresTab";
import { download, safeName, storyUrl } from "./files";
import { ReferenceTab, useReference } from "./ReferenceTab";
import { ReviewTab } from "./ReviewTab";

const names = ["content", "book", "chapters", "review", "figures", "reference", "story"] as const;
type Name = (typeof names)[number];

/** The ways in which a work leaves the studio, and what is looked at before it does. */
export default function ExportPage({ project }: { project: string; rest: string | undefined }) {
  return <Asked query={useProject(project)}>{(view) => <Found view={view} />}</Asked>;
}

function Found({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const reference = useReference();
  const shown = names.filter((name) => isShown(name, view));
  const tabs = shown.map((name) => ({ name, title: t(`content.export.${name}.tab`) }));
  return (
    <Page title={t("shell.nav.export")} about={t("content.export.about")}>
      <Tabs label={t("shell.nav.export")} tabs={tabs}>
        {(name) => <Shown name={name} view={view} reference={reference} />}
      </Tabs>
    </Page>
  );
}

/** What has content is exported as content, what has chapters as a book. */
function isShown(name: Name, { story }: ProjectView): boolean {
  const isContent = story.fields.some((field) => field.is_content);
  if (name === "content") return isContent;
  if (name === "book" || name === "chapters") return story.documents.length > 0 || !isContent;
  return name === "story" || name === "reference" || story.documents.length > 0;
}

type ShownProps = { name: Name; view: ProjectView; reference: ReturnType<typeof useReference> };

function Shown({ name, view, reference }: ShownProps) {
  switch (name) {
    case "content":
      return <ContentTab view={view} />;
    case "book":
      return <BookTab view={view} />;
    case "chapters":
      return <ChaptersTab view={view} />;
    case "review":
      return <ReviewTab view={view} />;
    case "figures":
      return <FiguresTab view={view} />;
    case "reference":
      return <ReferenceTab reference={reference} />;
    case "story":
      return <StoryTab view={view} />;
  }
}

/** Everything as data: nobody is kept here. */
function StoryTab({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { project, title } = view.project;
  const take = useMutation({
    mutationFn: () => download(storyUrl(project), `${safeName(title)}.story.json`),
  });
  return (
    <Section title={t("content.export.story.title")} about={t("content.export.story.about")}>
      <div>
        <Button kind="main" disabled={take.isPending} onClick={() => take.mutate()}>
          {t("content.export.story.download")}
        </Button>
      </div>
      <p role="status">{take.data && t("content.export.taken", { name: take.data })}</p>
      <Told error={take.error} />
    </Section>
  );
}
