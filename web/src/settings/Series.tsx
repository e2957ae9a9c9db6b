import { ArrowDown, ArrowUp } from "lucide-react";
import { type FormEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useProjects } from "../api/queries";
import type { EarlierKind, EarlierRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Tag } from "../parts/Card";
import { Select, TextField } from "../parts/Field";
import { useMovedRow } from "../parts/movedRow";
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
      <Asked query={series}>{(rows) => <Shown project={project} rows={rows} />}</Asked>
    </Section>
  );
}

type ShownProps = { project: string; rows: readonly EarlierRow[] };

/** The rows and the form change one list: one change at a time. */
function Shown(props: ShownProps) {
  const set = useSetSeries(props.project);
  const form = useRef<HTMLFormElement>(null);
  const onEmpty = useCallback(() => form.current?.querySelector("select")?.focus(), []);
  return (
    <>
      <Rows {...props} set={set} onEmpty={onEmpty} />
      <AddEarlier {...props} set={set} form={form} />
      <Told error={set.error} />
    </>
  );
}

type SeriesProps = ShownProps & { set: ReturnType<typeof useSetSeries> };

type RowsProps = SeriesProps & {
  /** Called after the last row was removed. */
  onEmpty(): void;
};

function Rows({ rows, set, onEmpty }: RowsProps) {
  const { t } = useTranslation();
  const { list, follow } = useMovedRow<HTMLTableSectionElement>();
  const [changed, setChanged] = useState<{ before: readonly EarlierRow[]; place: number; by?: 1 | -1 }>();
  // The buttons are disabled, and the rows are the old ones, until the change is done.
  useEffect(() => {
    if (!changed || set.isPending || changed.before === rows) return;
    const { place, by } = changed;
    setChanged(undefined);
    if (by) return follow(place, by);
    const left = list.current?.children;
    const row = left?.[Math.min(place, left.length - 1)];
    if (row) [...row.querySelectorAll("button")].at(-1)?.focus();
    else onEmpty();
  });
  if (rows.length === 0) return <Empty title={t("settings.series.none")} />;
  const move = (from: number, by: 1 | -1) =>
    set.mutate(requests(moved(rows, from, from + by)), {
      onSuccess: () => setChanged({ before: rows, place: from + by, by }),
    });
  const remove = (place: number) =>
    set.mutate(requests(rows.filter((_, other) => other !== place)), {
      onSuccess: () => setChanged({ before: rows, place }),
    });
  return (
    <Table
      label={t("settings.series.title")}
      body={list}
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
              data-move="-1"
              aria-label={t("settings.series.up", { title: row.title || t("settings.series.closed") })}
              disabled={set.isPending || place === 0}
              onClick={() => move(place, -1)}
            >
              <ArrowUp size={14} aria-hidden />
            </Button>
            <Button
              data-move="1"
              aria-label={t("settings.series.down", { title: row.title || t("settings.series.closed") })}
              disabled={set.isPending || place === rows.length - 1}
              onClick={() => move(place, 1)}
            >
              <ArrowDown size={14} aria-hidden />
            </Button>
            <Button
              aria-label={t("settings.series.remove_title", {
                title: row.title || t("settings.series.closed"),
              })}
              disabled={set.isPending}
              onClick={() => remove(place)}
            >
              {t("settings.series.remove")}
            </Button>
          </td>
        </tr>
      ))}
    </Table>
  );
}

type AddProps = SeriesProps & { form: RefObject<HTMLFormElement | null> };

function AddEarlier({ project, rows, set, form }: AddProps) {
  const { t } = useTranslation();
  const projects = useProjects();
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
        <form ref={form} onSubmit={submit} className={styles.form}>
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
      )}
    </Asked>
  );
}
