import { useTranslation } from "react-i18next";
import { Page } from "../parts/Page";
import { OfProject } from "./OfProject";
import { OfStudio } from "./OfStudio";

/** The settings of the studio, or of a project where one is named. */
export default function SettingsPage({ project }: { project: string; rest: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Page
      title={t("shell.nav.settings")}
      about={project === "" ? t("settings.about.studio") : t("settings.about.project")}
    >
      {project === "" ? <OfStudio /> : <OfProject project={project} />}
    </Page>
  );
}
