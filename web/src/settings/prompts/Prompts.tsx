import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { PromptRow } from "../../api/schema";
import { Tag } from "../../parts/Card";
import { Asked, Empty } from "../../parts/states";
import { language } from "../../words";
import { Search, Section, Segments, Switch } from "../parts/parts";
import styles from "../parts/parts.module.css";
import rowStyles from "../SettingRows.module.css";
import { Prompt } from "./Prompt";
import promptStyles from "./Prompts.module.css";
import { grouped, usePrompts } from "./prompts";

/** What agents are told, and the author's own words in its place. */
export function Prompts() {
  const { t } = useTranslation();
  const [open, show] = useState("");
  const query = usePrompts();
  if (open !== "") return <Prompt key={open} name={open} onBack={() => show("")} />;
  return (
    <Section title={t("settings.tab.prompts")} about={t("settings.prompts.about")}>
      <Asked query={query}>{(rows) => <List rows={rows} onOpen={show} />}</Asked>
    </Section>
  );
}

function List({ rows, onOpen }: { rows: readonly PromptRow[]; onOpen: (name: string) => void }) {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const [isOwn, narrow] = useState(false);
  const [of, choose] = useState<"zh" | "en">(language());
  const groups = grouped(rows, { language: of, typed, isOwn });
  return (
    <>
      <div className={rowStyles.filters}>
        <Search placeholder={t("settings.prompts.search")} typed={typed} onType={type} />
        <Segments
          label={t("settings.prompts.language")}
          value={of}
          options={[
            ["zh", t("settings.look.languages.zh")],
            ["en", t("settings.look.languages.en")],
          ]}
          onChange={choose}
        />
        <span>
          <Switch label={t("settings.prompts.own")} isOn={isOwn} onChange={narrow} />{" "}
          {t("settings.prompts.own")}
        </span>
      </div>
      {groups.length === 0 && <Empty title={t("settings.nothing_found")} />}
      {groups.map(({ agent, prompts }) => (
        <div key={agent} className={promptStyles.group}>
          <h3>{agent}</h3>
          <ul className={styles.list}>
            {prompts.map((row) => (
              <li key={row.name}>
                <button type="button" className={promptStyles.open} onClick={() => onOpen(row.name)}>
                  <code>{row.part}</code>
                  <span className="unseen">{row.name}</span>
                </button>
                {row.problem && <Tag>{t("settings.prompts.broken")}</Tag>}
                {row.overridden && <Tag>{t("settings.prompts.overridden")}</Tag>}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </>
  );
}
