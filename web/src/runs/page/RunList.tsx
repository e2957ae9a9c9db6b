import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useRuns } from "../../api/queries";
import type { RunRow } from "../../api/schema";
import { useDates } from "../../parts/dates";
import { useNumbers } from "../../parts/numbers";
import { Page } from "../../parts/Page";
import { Asked, Empty } from "../../parts/states";
import { at } from "../../shell/places";
import { useNames } from "../names";
import { Status } from "../Status";
import styles from "./RunList.module.css";

const ROW = 62;

export function RunList({ project }: { project: string }) {
  const { t } = useTranslation();
  return (
    <Page title={t("shell.nav.runs")} about={t("runs.list.about")}>
      <Asked query={useRuns()}>
        {(runs) => {
          const rows = runs.filter((row) => row.project === project);
          if (rows.length > 0) return <Rows rows={rows} />;
          return (
            <Empty title={t("runs.list.empty")}>
              <p>{t("runs.list.empty_about")}</p>
              <Link href={at.project(project)}>{t("shell.nav.overview")}</Link>
            </Empty>
          );
        }}
      </Asked>
    </Page>
  );
}

/** As many rows as there are, of which only those in sight are drawn. */
function Rows({ rows }: { rows: readonly RunRow[] }) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  return (
    <div ref={frame} className={styles.frame}>
      <ol style={{ height: list.getTotalSize() }} className={styles.rows}>
        {list.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          return (
            row && (
              <li key={row.run} style={{ transform: `translateY(${start}px)`, height: ROW }}>
                <Row row={row} />
              </li>
            )
          );
        })}
      </ol>
    </div>
  );
}

function Row({ row }: { row: RunRow }) {
  const { t } = useTranslation();
  const { task } = useNames();
  const { ago, lasting } = useDates();
  const { short, price } = useNumbers();
  const millis = row.ended ? Date.parse(row.ended) - Date.parse(row.started) : undefined;
  const figures = [
    ago(row.started),
    row.model,
    millis !== undefined && millis >= 1_000 && lasting(millis),
    t("runs.tokens_of", { count: row.usage.total, replace: { count: short(row.usage.total) } }),
    price(row.usage),
  ].filter(Boolean);
  return (
    <Link href={at.run(row.project, row.run)} className={styles.row}>
      <span className={styles.state}>
        <Status status={row.status} />
      </span>
      <span className={styles.what}>
        <strong>{task(row.requirement) || row.run}</strong>
        <small>{figures.join(" · ")}</small>
      </span>
      {row.quality_score != null && (
        <span className={styles.score} title={t("runs.score")}>
          {row.quality_score}
        </span>
      )}
    </Link>
  );
}
