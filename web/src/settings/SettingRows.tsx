import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { Layer, SettingRow } from "../api/schema";
import { Asked, Empty } from "../parts/states";
import { matching, shownValue } from "./effective";
import { Section, Switch, Table } from "./parts/parts";
import styles from "./parts/parts.module.css";
import rowStyles from "./SettingRows.module.css";

/** The settings as they hold, and where each comes from. They are changed in files and variables, not here. */
export function SettingRows({ project }: { project: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: project === "" ? ["settings"] : [...keys.project(project), "settings"],
    queryFn: () => answer(http.GET("/api/v1/settings", { params: { query: { project: project || null } } })),
  });
  return (
    <Section title={t("settings.tab.settings")} about={t("settings.rows.about")}>
      <Asked query={query}>{(rows) => <Rows rows={rows} />}</Asked>
    </Section>
  );
}

function Rows({ rows }: { rows: readonly SettingRow[] }) {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const [isOwn, narrow] = useState(false);
  const found = matching(rows, typed).filter((row) => !isOwn || row.layer !== "default");
  return (
    <>
      <div className={rowStyles.filters}>
        <input
          type="search"
          className={styles.search}
          aria-label={t("common.search")}
          placeholder={t("settings.rows.search")}
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
        <span>
          <Switch label={t("settings.rows.own")} isOn={isOwn} onChange={narrow} /> {t("settings.rows.own")}
        </span>
      </div>
      <p role="status" className="unseen">
        {t("settings.rows.found", { count: found.length })}
      </p>
      {found.length === 0 ? (
        <Empty title={t("settings.nothing_found")} />
      ) : (
        <Table
          label={t("settings.tab.settings")}
          head={
            <tr>
              <th scope="col">{t("settings.rows.key")}</th>
              <th scope="col">{t("settings.rows.value")}</th>
              <th scope="col">{t("settings.rows.layer")}</th>
            </tr>
          }
        >
          {found.map((row) => (
            <tr key={row.key}>
              <th scope="row" className={styles.code}>
                {row.key}
              </th>
              <td className={styles.code}>{shownValue(row.value)}</td>
              <td>
                <LayerTag layer={row.layer} />
                {row.source && <small className={rowStyles.source}>{row.source}</small>}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </>
  );
}

function LayerTag({ layer }: { layer: Layer }) {
  const { t } = useTranslation();
  return (
    <span className={rowStyles.layer} data-layer={layer}>
      {t(`settings.layer.${layer}`)}
    </span>
  );
}
