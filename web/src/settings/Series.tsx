import { ArrowDown, ArrowUp } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useProjects } from "../api/queries";
import type { EarlierKind, EarlierRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Tag } from "../parts/Card";
import { Select, TextField } from "../parts/Field";
import { Asked, Empty } from "../parts/states";
import styles from "./MakeKey.module.css";
import { Section, Table } from "./parts/parts";
import { Told } from "./parts/Told";
import { candidates, earlierKinds, moved, requests, useSeries, useSetSeries } from "./series";

/** The books before a book in its series, and its canon. */
export function Series({ project }: { project: string }) {
  const { t } = useTranslation();
  const series = useSeries(project);
  return (
    <Section title={t("settings.series.title")} about={t("settings.series.about")}>
      <Asked query={series}>
        {(rows) => (
          <>
            <Rows project={project} rows={rows} />
            <AddEarlier project={project} rows={rows} />
          </>
        )}
      </Asked>
    </Section>
  );
}

type SeriesProps = { project: string; rows: readonly EarlierRow[] };

function Rows({ project, rows }: SeriesProps) {
  const { t } = useTranslation();
  const set = useSetSeries(project);
  if (rows.length === 0) return <Empty title={t("settings.series.none")} />;
  const move = (from: number, to: number) => set.mutate(requests(moved(rows, from, to)));
  const remove = (row: EarlierRow) => set.mutate(requests(rows.filter((other) => other !== row)));
  return (
    <>
      <Told error={set.error} />
      <Table
        label={t("settings.series.title")}
        head={
          <tr>
            <th scope="col">{t("settings.series.book")}</th>
            <th scope="col">{t("settings.series.kind")}</th>
            <th scope="col">{t("settings.series.gap")}</th>
            <th scope="col">{t("settings.series.shared")}</th>
            <th scope="col">
              <span className="unseen">{t("settings.series.order")}</span>
            </th>
          </tr>
        }
      >
        {rows.map((row, place) => (
          <tr key={row.project}>
            <th scope="row">{row.title || t("settings.series.closed")}</th>
            <td>{t(`settings.series.kinds.${row.kind}`)}</td>
            <td>{row.gap || "–"}</td>
            <td>
              {row.missing ? (
                <Tag>{t("settings.series.missing")}</Tag>
              ) : (
                row.shared.join(t("settings.series.comma")) || t("settings.series.no_shared")
              )}
            </td>
            <td>
              <Button
                aria-label={t("settings.series.up", { title: row.title || t("settings.series.closed") })}
                disabled={set.isPending || place === 0}
                onClick={() => move(place, place - 1)}
              >
                <ArrowUp size={14} aria-hidden />
              </Button>
              <Button
                aria-label={t("settings.series.down", { title: row.title || t("settings.series.closed") })}
                disabled={set.isPending || place === rows.length - 1}
                onClick={() => move(place, place + 1)}
              >
                <ArrowDown size={14} aria-hidden />
              </Button>
              <Button
                aria-label={t("settings.series.remove_title", { title: row.title || t("settings.series.closed") })}
                disabled={set.isPending}
                onClick={() => remove(row)}
              >
                {t("settings.series.remove")}
              </Button>
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function AddEarlier({ project, rows }: SeriesProps) {
  const { t } = useTranslation();
  const projects = useProjects();
  const set = useSetSeries(project);
  const [book, choose] = useState("");
  const [kind, sort] = useState<EarlierKind>("volume");
  const [gap, type] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = () => {
      choose("");
      type("");
    };
    set.mutate([...requests(rows), { project: book, kind, gap: gap.trim() }], { onSuccess: done });
  };
  return (
    <Asked query={projects}>
      {(all) => (
        <>
          <form onSubmit={submit} className={styles.form}>
            <Select
              label={t("settings.series.book")}
              value={book}
              onChange={(event) => choose(event.target.value)}
            >
              <option value="">{t("settings.series.choose")}</option>
              {candidates(all, rows, project).map((each) => (
                <option key={each.project} value={each.project}>
                  {each.title}
                </option>
              ))}
            </Select>
            <Select
              label={t("settings.series.kind")}
              value={kind}
              onChange={(event) => sort(event.target.value as EarlierKind)}
            >
              {earlierKinds.map((each) => (
                <option key={each} value={each}>
                  {t(`settings.series.kinds.${each}`)}
                </option>
              ))}
            </Select>
            <TextField
              label={t("settings.series.gap")}
              placeholder={t("settings.series.gap_example")}
              maxLength={40}
              value={gap}
              onChange={(event) => type(event.target.value)}
            />
            <Button kind="main" type="submit" disabled={set.isPending || book === ""}>
              {t("settings.series.add")}
            </Button>
          </form>
          <Told error={set.error} />
        </>
      )}
    </Asked>
  );
}
