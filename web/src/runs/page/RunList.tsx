import { useVirtualizer } from "@tanstack/react-virtual";
import { useCallback, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useRunsOf } from "../../api/queries";
import type { RunRow } from "../../api/schema";
import { ButtonLink } from "../../parts/Button";
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
  const query = useRunsOf(project);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const reachEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  return (
    <Page title={t("shell.nav.runs")} about={t("runs.list.about")}>
      <Asked query={query}>
        {(rows) => {
          if (rows.length > 0) return <Rows rows={rows} onEnd={reachEnd} />;
          return (
            <Empty title={t("runs.list.empty")}>
              <p>{t("runs.list.empty_about")}</p>
              <ButtonLink href={at.project(project)}>{t("shell.nav.overview")}</ButtonLink>
            </Empty>
          );
        }}
      </Asked>
    </Page>
  );
}

/** As many rows as there are, of which only those in sight are drawn; `onEnd` is told when the last of them comes into sight. */
function Rows({ rows, onEnd }: { rows: readonly RunRow[]; onEnd: () => void }) {
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const drawn = list.getVirtualItems();
  const isAtEnd = drawn.at(-1)?.index === rows.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  return (
    <div ref={frame} className={styles.frame}>
      <ol style={{ height: list.getTotalSize() }} className={styles.rows}>
        {drawn.map(({ index, start }) => {
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
        <strong>{task(row.requirement) || t("runs.untitled")}</strong>
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
