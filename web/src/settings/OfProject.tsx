import { useTranslation } from "react-i18next";
import { useProject } from "../api/queries";
import { Asked } from "../parts/states";
import { Branches } from "./Branches";
import { Budgets } from "./Budgets";
import { GoldenContext } from "./GoldenContext";
import { Members } from "./Members";
import { Mirror } from "./Mirror";
import { PassageIndex } from "./PassageIndex";
import { Tabs } from "./parts/Tabs";
import { Series } from "./Series";
import { SettingRows } from "./SettingRows";
import { Spending } from "./Spending";

const names = [
  "settings",
  "budget",
  "spending",
  "series",
  "members",
  "branches",
  "mirror",
  "index",
  "golden",
] as const;
type Name = (typeof names)[number];

/** What holds for one project. */
export function OfProject({ project }: { project: string }) {
  const { t } = useTranslation();
  return (
    <Asked query={useProject(project)}>
      {(view) => {
        const isProduced = Boolean(view.story.production);
        const shown = names.filter((name) => name !== "golden" || isProduced);
        return (
          <Tabs
            label={t("shell.nav.settings")}
            isColumn
            tabs={shown.map((name) => ({ name, title: t(`settings.tab.${name}`) }))}
          >
            {(name) => <Shown name={name} project={project} />}
          </Tabs>
        );
      }}
    </Asked>
  );
}

function Shown({ name, project }: { name: Name; project: string }) {
  switch (name) {
    case "settings":
      return <SettingRows project={project} />;
    case "budget":
      return <Budgets project={project} />;
    case "spending":
      return <Spending project={project} />;
    case "series":
      return <Series project={project} />;
    case "members":
      return <Members project={project} />;
    case "branches":
      return <Branches project={project} />;
    case "mirror":
      return <Mirror project={project} />;
    case "index":
      return <PassageIndex project={project} />;
    case "golden":
      return <GoldenContext project={project} />;
  }
}
