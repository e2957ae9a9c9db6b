import { useTranslation } from "react-i18next";
import { About } from "./About";
import { AccessTab } from "./AccessTab";
import { Backups } from "./Backups";
import { Budgets } from "./Budgets";
import { Look } from "./Look";
import { Memories } from "./Memories";
import { Models } from "./Models";
import { Prices } from "./Prices";
import { Tabs } from "./parts/Tabs";
import { Prompts } from "./prompts/Prompts";
import { Rules } from "./Rules";
import { SettingRows } from "./SettingRows";
import { Shortcuts } from "./Shortcuts";
import { Spending } from "./Spending";
import { Tools } from "./Tools";

const names = [
  "look",
  "models",
  "prices",
  "spending",
  "budget",
  "prompts",
  "settings",
  "memories",
  "tools",
  "rules",
  "access",
  "backups",
  "shortcuts",
  "about",
] as const;
type Name = (typeof names)[number];

/** What holds for every project. */
export function OfStudio() {
  const { t } = useTranslation();
  return (
    <Tabs
      label={t("shell.nav.settings")}
      isColumn
      tabs={names.map((name) => ({ name, title: t(`settings.tab.${name}`) }))}
    >
      {(name) => <Shown name={name} />}
    </Tabs>
  );
}

function Shown({ name }: { name: Name }) {
  switch (name) {
    case "look":
      return <Look />;
    case "models":
      return <Models />;
    case "prices":
      return <Prices />;
    case "spending":
      return <Spending project="" />;
    case "budget":
      return <Budgets project="" />;
    case "prompts":
      return <Prompts />;
    case "settings":
      return <SettingRows project="" />;
    case "memories":
      return <Memories />;
    case "tools":
      return <Tools />;
    case "rules":
      return <Rules />;
    case "access":
      return <AccessTab />;
    case "backups":
      return <Backups />;
    case "shortcuts":
      return <Shortcuts />;
    case "about":
      return <About />;
  }
}
