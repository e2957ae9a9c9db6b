import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import type { Metadata2 } from "../api/schema";
import { Tag } from "../parts/Card";
import { Asked, Empty } from "../parts/states";
import { language } from "../words";
import { McpServers } from "./McpServers";
import { type Parameter, parametersOf } from "./parameters";
import { holding } from "./parts/holding";
import { Search, Section, Table } from "./parts/parts";
import styles from "./parts/parts.module.css";
import toolStyles from "./Tools.module.css";

/** The tools that agents and other programs have, and the servers that more of them come from. */
export function Tools() {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const query = useQuery({ queryKey: ["tools"], queryFn: () => answer(http.GET("/api/v1/tools")) });
  return (
    <>
      <Section
        title={t("settings.tab.tools")}
        about={t("settings.tools.about")}
        actions={<Search placeholder={t("settings.tools.search")} typed={typed} onType={type} />}
      >
        <Asked query={query}>{(tools) => <List tools={found(tools, typed)} />}</Asked>
      </Section>
      <McpServers />
    </>
  );
}

/** The tools whose name, aliases or description hold all of the words. */
function found(tools: readonly Metadata2[], typed: string): Metadata2[] {
  const isFound = holding(typed);
  return tools.filter((tool) => {
    const { zh, en } = tool.description;
    return isFound([tool.name, tool.category, ...(tool.aliases ?? []), zh, en].join(" "));
  });
}

function List({ tools }: { tools: readonly Metadata2[] }) {
  const { t } = useTranslation();
  if (tools.length === 0) return <Empty title={t("settings.nothing_found")} />;
  return tools.map((tool) => <Tool key={tool.name} tool={tool} />);
}

function Tool({ tool }: { tool: Metadata2 }) {
  const { t } = useTranslation();
  const parameters = parametersOf(tool.parameters_schema);
  return (
    <details className={toolStyles.tool}>
      <summary>
        <code>{tool.name}</code>
        <span className={toolStyles.marks}>
          <Tag>{t(`settings.tools.category.${tool.category}`)}</Tag>
          <Tag>{t(`settings.right.${tool.permission}`)}</Tag>
          {tool.foreign && <Tag>{tool.foreign}</Tag>}
        </span>
        <span className={toolStyles.about}>{tool.description[language()]}</span>
      </summary>
      {(tool.actions ?? []).length > 0 && (
        <p className={toolStyles.actions}>
          {tool.actions?.map((action) => (
            <Tag key={action.name}>
              {action.name} · {t(`settings.right.${action.permission}`)}
            </Tag>
          ))}
        </p>
      )}
      {parameters.length === 0 ? (
        <p>{t("settings.tools.no_parameters")}</p>
      ) : (
        <Parameters tool={tool.name} parameters={parameters} />
      )}
    </details>
  );
}

function Parameters({ tool, parameters }: { tool: string; parameters: readonly Parameter[] }) {
  const { t } = useTranslation();
  return (
    <Table
      label={t("settings.tools.parameters", { tool })}
      head={
        <tr>
          <th scope="col">{t("settings.tools.parameter")}</th>
          <th scope="col">{t("settings.tools.type")}</th>
          <th scope="col">{t("settings.tools.what")}</th>
        </tr>
      }
    >
      {parameters.map(({ name, type, isRequired, about }) => (
        <tr key={name}>
          <th scope="row" className={styles.code}>
            {name}
            {isRequired && <abbr title={t("settings.tools.required")}> *</abbr>}
          </th>
          <td className={styles.code}>{type}</td>
          <td>{about}</td>
        </tr>
      ))}
    </Table>
  );
}
