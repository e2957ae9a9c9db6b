import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useProjects } from "../api/queries";
import type { NewKey, Right } from "../api/schema";
import { Button } from "../parts/Button";
import { Select, TextField } from "../parts/Field";
import { endOf, rights, useMakeKey, useUsers } from "./access";
import { MadeKey } from "./MadeKey";
import styles from "./MakeKey.module.css";
import { Section } from "./parts/parts";
import { Told } from "./parts/Told";

/** Makes a key, and shows it the only time that it is whole. */
export function MakeKey() {
  const { t } = useTranslation();
  const [name, call] = useState("");
  const [user, give] = useState("");
  const [right, allow] = useState<Right>("write");
  const [project, narrow] = useState("");
  const [until, end] = useState("");
  const [made, show] = useState<NewKey>();
  const { data: projects = [] } = useProjects();
  const { data: users = [] } = useUsers();
  const make = useMakeKey();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const request = {
      name: name.trim(),
      right,
      user: user || undefined,
      projects: project ? [project] : undefined,
      expires: endOf(until),
    };
    make.mutate(request, {
      onSuccess: (key) => {
        show(key);
        call("");
      },
    });
  };
  return (
    <Section title={t("settings.access.make")} about={t("settings.access.make_about")}>
      {made && (
        <MadeKey
          title={t("settings.access.made", { name: made.name })}
          secret={made.secret}
          onSeen={() => show(undefined)}
        />
      )}
      <form onSubmit={submit} className={styles.form}>
        <TextField
          label={t("settings.access.name")}
          placeholder={t("settings.access.name_example")}
          value={name}
          onChange={(event) => call(event.target.value)}
        />
        <Select
          label={t("settings.access.right")}
          value={right}
          onChange={(event) => allow(event.target.value as Right)}
        >
          {rights.map((each) => (
            <option key={each} value={each}>
              {t(`settings.right.${each}`)}
            </option>
          ))}
        </Select>
        <Select label={t("settings.access.user")} value={user} onChange={(event) => give(event.target.value)}>
          <option value="">{t("settings.access.me")}</option>
          {users.map((row) => (
            <option key={row.user} value={row.user}>
              {row.name}
            </option>
          ))}
        </Select>
        <Select
          label={t("settings.access.projects")}
          value={project}
          onChange={(event) => narrow(event.target.value)}
        >
          <option value="">{t("common.all")}</option>
          {projects.map((row) => (
            <option key={row.project} value={row.project}>
              {row.title}
            </option>
          ))}
        </Select>
        <TextField
          label={t("settings.access.until")}
          type="date"
          value={until}
          onChange={(event) => end(event.target.value)}
        />
        <Button kind="main" type="submit" disabled={make.isPending || name.trim() === ""}>
          {t("settings.access.make")}
        </Button>
      </form>
      <Told error={make.error} />
    </Section>
  );
}
