import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import type { RuleRow } from "../api/schema";
import { Tag } from "../parts/Card";
import { Asked, Empty } from "../parts/states";
import { language } from "../words";
import { holding } from "./parts/holding";
import { Search, Section } from "./parts/parts";
import toolStyles from "./Tools.module.css";

/** What the checker looks for, with an example of each that it finds and one that it leaves alone. */
export function Rules() {
  const { t, i18n } = useTranslation();
  const [typed, type] = useState("");
  const query = useQuery({
    queryKey: ["rules", i18n.language],
    queryFn: () => answer(http.GET("/api/v1/rules", { params: { query: { language: language() } } })),
  });
  return (
    <Section
      title={t("settings.tab.rules")}
      about={t("settings.rules.about")}
      actions={<Search placeholder={t("settings.rules.search")} typed={typed} onType={type} />}
    >
      <Asked query={query}>{(rules) => <List rules={found(rules, typed)} />}</Asked>
    </Section>
  );
}

function found(rules: readonly RuleRow[], typed: string): RuleRow[] {
  const isFound = holding(typed);
  return rules.filter(({ code, name, explanation }) => isFound(`${code} ${name} ${explanation}`));
}

function List({ rules }: { rules: readonly RuleRow[] }) {
  const { t } = useTranslation();
  if (rules.length === 0) return <Empty title={t("settings.nothing_found")} />;
  return (
    <>
      <p role="status" className="unseen">
        {t("settings.rows.found", { count: rules.length })}
      </p>
      {rules.map((rule) => (
        <details key={rule.code} className={toolStyles.tool}>
          <summary>
            <span>
              <code>{rule.code}</code> {rule.name}
            </span>
            <Tag>{rule.severity ? t(`common.severity.${rule.severity}`) : t("settings.rules.off")}</Tag>
          </summary>
          <p>{rule.explanation}</p>
          <dl className={toolStyles.server}>
            <div>
              <dt>{t("settings.rules.fires")}</dt>
              <dd>{rule.fires.note}</dd>
            </div>
            <div>
              <dt>{t("settings.rules.spares")}</dt>
              <dd>{rule.spares.note}</dd>
            </div>
          </dl>
        </details>
      ))}
    </>
  );
}
