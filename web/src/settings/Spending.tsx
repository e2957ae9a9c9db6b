import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { useProjects } from "../api/queries";
import type { SpendingBy, SpendingReport } from "../api/schema";
import { useNumbers } from "../parts/numbers";
import { Asked, Empty } from "../parts/states";
import { costsOf, drawn, measureOf, moneyOf } from "./amounts";
import { Bars, Figures, Section, Segments, Table } from "./parts/parts";
import styles from "./parts/parts.module.css";
import { useRoleName } from "./roles";

const ofStudio = ["day", "project", "agent", "model", "purpose", "run"] as const satisfies SpendingBy[];
const ofProject = ["day", "chapter", "agent", "model", "purpose", "run"] as const satisfies SpendingBy[];

/** What was spent, of all or of a project, told apart by what one wants to know. */
export function Spending({ project }: { project: string }) {
  const { t } = useTranslation();
  const [by, tell] = useState<SpendingBy>(project === "" ? "project" : "agent");
  const query = useQuery({
    queryKey: ["spending", project, by],
    queryFn: () => answer(http.GET("/api/v1/spending", { params: { query: { by, of: project || null } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <Section title={t("settings.tab.spending")} about={t("settings.spending.about")}>
      <div>
        <Segments<SpendingBy>
          label={t("settings.spending.by")}
          value={by}
          options={(project === "" ? ofStudio : ofProject).map((name) => [
            name,
            t(`settings.spending.${name}`),
          ])}
          onChange={tell}
        />
      </div>
      <Asked query={query}>{(report) => <Shown report={report} />}</Asked>
    </Section>
  );
}

function Shown({ report }: { report: SpendingReport }) {
  const { t, i18n } = useTranslation();
  const { whole, short } = useNumbers();
  const name = useKeyName(report.by);
  const { today, total } = report;
  const cost = (row: typeof total) => moneyOf(row.costs, i18n.language) ?? "–";
  if (total.calls + total.replayed === 0) return <Empty title={t("settings.spending.none")} />;
  const measure = measureOf(report.rows);
  const rows = drawn(report.rows, measure);
  return (
    <>
      <Figures
        told={[
          [t("settings.spending.today"), cost(today)],
          [t("settings.spending.total"), cost(total)],
          [t("settings.spending.calls"), whole(total.calls)],
          [t("settings.spending.tokens"), short(total.input + total.output)],
          [t("settings.spending.replayed"), whole(total.replayed)],
        ]}
      />
      <h3>{t(`settings.spending.measure.${measure}`)}</h3>
      <Bars
        bars={rows.map(({ row, amount }) => ({
          name: name(row.key),
          amount,
          told: measure === "money" ? cost(row) : short(amount),
        }))}
      />
      <Table
        label={t("settings.tab.spending")}
        head={
          <tr>
            <th scope="col">{t(`settings.spending.${report.by}`)}</th>
            <th scope="col" className={styles.number}>
              {t("settings.spending.cost")}
            </th>
            <th scope="col" className={styles.number}>
              {t("settings.spending.calls")}
            </th>
            <th scope="col" className={styles.number}>
              {t("settings.spending.input")}
            </th>
            <th scope="col" className={styles.number}>
              {t("settings.spending.cached")}
            </th>
            <th scope="col" className={styles.number}>
              {t("settings.spending.output")}
            </th>
            <th scope="col" className={styles.number}>
              {t("settings.spending.replayed")}
            </th>
          </tr>
        }
      >
        {report.rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{name(row.key)}</th>
            <td className={styles.number}>{costsOf(row, i18n.language)}</td>
            <td className={styles.number}>{whole(row.calls)}</td>
            <td className={styles.number}>{whole(row.input)}</td>
            <td className={styles.number}>{whole(row.cached)}</td>
            <td className={styles.number}>{whole(row.output)}</td>
            <td className={styles.number}>{whole(row.replayed)}</td>
          </tr>
        ))}
      </Table>
      {(total.estimated || total.unpriced > 0) && (
        <p className={styles.about}>
          {total.estimated && t("settings.spending.estimated")}
          {total.unpriced > 0 && t("settings.spending.unpriced", { count: total.unpriced })}
        </p>
      )}
    </>
  );
}

/** What a row stands for, in the reader's language as far as there is a word. */
function useKeyName(by: SpendingBy): (key: string) => string {
  const { t } = useTranslation();
  const { data: projects = [] } = useProjects();
  const role = useRoleName();
  return (key) => {
    if (key === "") return t("settings.spending.nothing");
    if (by === "agent") return role(key);
    if (by === "chapter") return t("common.chapter", { number: key });
    if (by === "project") return projects.find((project) => project.project === key)?.title ?? key;
    return key;
  };
}
