import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SettingLayer as Layer, SettingChange, SettingRow } from "../api/schema";
import { Button } from "../parts/Button";
import { TextField } from "../parts/Field";
import { Asked, Empty } from "../parts/states";
import { refused, useChangeSettings, useSettings } from "./changes";
import { matching, shownValue } from "./effective";
import { ChangeNote } from "./parts/ChangeNote";
import { Search, Section, Switch, Table } from "./parts/parts";
import styles from "./parts/parts.module.css";
import { Told } from "./parts/Told";
import rowStyles from "./SettingRows.module.css";
import { guessed, type Kind, kindOf, readAs, typedOf } from "./typed";

/** The settings as they hold, where each comes from, and a way to change them in their file. */
export function SettingRows({ project }: { project: string }) {
  const { t } = useTranslation();
  const query = useSettings(project);
  const [change, tell] = useState<SettingChange>();
  return (
    <>
      <Section title={t("settings.tab.settings")} about={t("settings.rows.about")}>
        <ChangeNote change={change} />
        <Asked query={query}>{(rows) => <Rows rows={rows} project={project} onChange={tell} />}</Asked>
      </Section>
      <Section title={t("settings.rows.add")} about={t("settings.rows.add_about")}>
        <Add project={project} onChange={tell} />
      </Section>
    </>
  );
}

type Shown = { project: string; onChange: (change: SettingChange) => void };

function Rows({ rows, ...shown }: Shown & { rows: readonly SettingRow[] }) {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const [isOwn, narrow] = useState(false);
  const [edited, edit] = useState("");
  const found = matching(rows, typed).filter((row) => !isOwn || row.layer !== "default");
  return (
    <>
      <div className={rowStyles.filters}>
        <Search placeholder={t("settings.rows.search")} typed={typed} onType={type} />
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
          label={t("settings.rows.table")}
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
              <td className={styles.code}>
                {edited === row.key ? (
                  <Edit row={row} {...shown} onDone={() => edit("")} />
                ) : (
                  <Value row={row} {...shown} onEdit={() => edit(row.key)} />
                )}
              </td>
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

/** A value, and what can be done with it. */
function Value({ row, project, onChange, onEdit }: Shown & { row: SettingRow; onEdit: () => void }) {
  const { t } = useTranslation();
  const change = useChangeSettings(project);
  const isWrittenHere = row.layer === (project === "" ? "user" : "project");
  const drop = () => change.mutate([{ key: row.key }], { onSuccess: ([done]) => done && onChange(done) });
  return (
    <div className={rowStyles.value}>
      <span>{shownValue(row.value)}</span>
      <span className={rowStyles.acts}>
        {kindOf(row.value) && (
          <Button onClick={onEdit} aria-label={t("settings.rows.edit_of", { key: row.key })}>
            {t("settings.rows.edit")}
          </Button>
        )}
        {isWrittenHere && (
          <Button
            onClick={drop}
            disabled={change.isPending}
            aria-label={t("settings.rows.drop_of", { key: row.key })}
          >
            {t("settings.rows.drop")}
          </Button>
        )}
      </span>
      <Refusal error={change.error} />
    </div>
  );
}

function Edit({ row, project, onChange, onDone }: Shown & { row: SettingRow; onDone: () => void }) {
  const { t } = useTranslation();
  const kind: Kind = kindOf(row.value) ?? "words";
  const [typed, type] = useState(typedOf(row.value));
  const change = useChangeSettings(project);
  const value = readAs(typed, kind, row.value);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = ([told]: readonly SettingChange[]) => {
      if (told) onChange(told);
      onDone();
    };
    change.mutate([{ key: row.key, value: value ?? typed.trim() }], { onSuccess: done });
  };
  return (
    <form onSubmit={submit} className={rowStyles.edit}>
      <Control kind={kind} label={row.key} typed={typed} onType={type} />
      <Button kind="main" type="submit" disabled={change.isPending}>
        {t("common.save")}
      </Button>
      <Button onClick={onDone}>{t("common.cancel")}</Button>
      <Refusal error={change.error} />
    </form>
  );
}

type ControlProps = { kind: Kind; label: string; typed: string; onType: (typed: string) => void };

function Control({ kind, label, typed, onType }: ControlProps) {
  const { t } = useTranslation();
  const shared = { "aria-label": label, className: rowStyles.control, value: typed };
  if (kind === "switch") {
    return (
      <select {...shared} onChange={(event) => onType(event.target.value)}>
        <option value="true">{t("settings.rows.on")}</option>
        <option value="false">{t("settings.rows.off")}</option>
      </select>
    );
  }
  if (kind === "list") {
    const rows = Math.min(12, typed.split("\n").length + 1);
    return <textarea {...shared} rows={rows} onChange={(event) => onType(event.target.value)} />;
  }
  return (
    <input
      {...shared}
      inputMode={kind === "number" ? "decimal" : undefined}
      onChange={(event) => onType(event.target.value)}
    />
  );
}

/** A setting of which no file says anything yet. */
function Add({ project, onChange }: Shown) {
  const { t } = useTranslation();
  const [key, name] = useState("");
  const [typed, type] = useState("");
  const change = useChangeSettings(project);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = ([told]: readonly SettingChange[]) => {
      if (told) onChange(told);
      name("");
      type("");
    };
    change.mutate([{ key: key.trim(), value: guessed(typed) }], { onSuccess: done });
  };
  return (
    <form onSubmit={submit} className={rowStyles.add}>
      <TextField
        label={t("settings.rows.key")}
        placeholder="models.outline"
        value={key}
        onChange={(event) => name(event.target.value)}
      />
      <TextField
        label={t("settings.rows.value")}
        placeholder="deepseek/deepseek-flash"
        value={typed}
        onChange={(event) => type(event.target.value)}
      />
      <Button type="submit" disabled={change.isPending || key.trim() === "" || typed.trim() === ""}>
        {t("common.add")}
      </Button>
      <Refusal error={change.error} />
    </form>
  );
}

/** Why a value was not taken, beside the field. */
function Refusal({ error }: { error: unknown }) {
  const why = refused(error);
  if (!why) return <Told error={error} />;
  return (
    <p role="alert" className={rowStyles.refusal}>
      <code>{why.key}</code> {why.message}
    </p>
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
