import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRow, SettingChange, SettingRow } from "../api/schema";
import { Button } from "../parts/Button";
import { TextField } from "../parts/Field";
import { Asked } from "../parts/states";
import styles from "./Casting.module.css";
import { AUTO, allOf, type Cast, castOf, castRoles, castSteps, doubt, offersOf } from "./cast";
import { refused, useChangeSettings, useSettings } from "./changes";
import { ChangeNote } from "./parts/ChangeNote";
import { Section } from "./parts/parts";
import partStyles from "./parts/parts.module.css";
import { Told } from "./parts/Told";
import { useRoleName } from "./roles";

type Props = { project: string; providers: readonly ModelRow[] };

/** Which model does what: one for everything, and others for single roles. */
export function Casting({ project, providers }: Props) {
  const { t } = useTranslation();
  return (
    <Section title={t("settings.casting.title")} about={t("settings.casting.about")}>
      <Asked query={useSettings(project)}>
        {(rows) => <Form rows={rows} project={project} providers={providers} />}
      </Asked>
    </Section>
  );
}

function Form({ rows, project, providers }: Props & { rows: readonly SettingRow[] }) {
  const { t } = useTranslation();
  const roleName = useRoleName();
  const list = useId();
  const before = castOf(rows);
  const all = allOf(rows);
  const [typed, type] = useState<Partial<Cast>>({});
  const [told, tell] = useState<SettingChange>();
  const change = useChangeSettings(project);
  const cast = { ...before, ...typed };
  const wanted = castSteps(before, cast);
  const why = refused(change.error);
  const serving = new Map(providers.flatMap(({ roles }) => Object.entries(roles)));
  const set = (place: keyof Cast) => (model: string) => type({ ...typed, [place]: model });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(wanted, {
      onSuccess: (changes) => {
        tell(changes.at(-1));
        type({});
      },
    });
  };
  const field = (place: keyof Cast, label: string, placeholder: string) => (
    <ModelField
      key={place}
      label={label}
      list={list}
      value={cast[place]}
      placeholder={placeholder}
      problem={why?.key === `models.${place}` ? why.message : undefined}
      doubts={doubt(cast[place], providers)}
      onChange={set(place)}
    />
  );
  const isOwn = castRoles.some((role) => before[role] !== "");
  return (
    <form onSubmit={submit} className={styles.form}>
      <datalist id={list}>
        <option value={AUTO}>{t("settings.casting.auto")}</option>
        {offersOf(providers).map(({ model, isReady }) => (
          <option key={model} value={model}>
            {isReady ? "" : t("settings.models.state.no_key")}
          </option>
        ))}
      </datalist>
      {all && (
        <p className={partStyles.note}>
          {t("settings.casting.all", { model: all })}{" "}
          <Button disabled={change.isPending} onClick={() => change.mutate([{ key: "models.all" }])}>
            {t("settings.casting.drop_all")}
          </Button>
        </p>
      )}
      {field("default", t("settings.casting.default"), AUTO)}
      <details className={styles.roles} open={isOwn}>
        <summary>{t("settings.casting.roles")}</summary>
        <p>{t("settings.casting.roles_about")}</p>
        <div className={styles.grid}>
          {castRoles.map((role) => field(role, roleName(role), serving.get(role) ?? cast.default))}
        </div>
      </details>
      <div className={styles.acts}>
        <Button kind="main" type="submit" disabled={change.isPending || wanted.length === 0}>
          {t("common.save")}
        </Button>
        {wanted.length > 0 && (
          <Button onClick={() => type({})} disabled={change.isPending}>
            {t("common.cancel")}
          </Button>
        )}
      </div>
      {!why && <Told error={change.error} />}
      <ChangeNote change={told} />
    </form>
  );
}

type FieldProps = {
  label: string;
  list: string;
  value: string;
  placeholder: string;
  /** Why the server refused it. */
  problem: string | undefined;
  doubts: ReturnType<typeof doubt>;
  onChange(model: string): void;
};

/** A model by its name: one of those that are known, or any other. */
function ModelField({ label, list, value, placeholder, problem, doubts, onChange }: FieldProps) {
  const { t } = useTranslation();
  const about = useId();
  return (
    <div className={styles.field}>
      <TextField
        label={label}
        list={list}
        spellCheck={false}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        aria-invalid={problem !== undefined}
        aria-describedby={about}
        onChange={(event) => onChange(event.target.value)}
      />
      <p id={about} className={problem ? styles.refusal : styles.doubt} role={problem ? "alert" : undefined}>
        {problem ?? (doubts && t(`settings.casting.${doubts}`))}
      </p>
    </div>
  );
}
