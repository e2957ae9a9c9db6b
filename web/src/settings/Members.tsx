import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MemberRow, NewMember, Right } from "../api/schema";
import { Button } from "../parts/Button";
import { Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Select, TextField } from "../parts/Field";
import { Asked, Empty } from "../parts/states";
import { useNow } from "../runs/clock";
import { endOf } from "./access";
import { MadeKey } from "./MadeKey";
import styles from "./MakeKey.module.css";
import { isHere, memberRoles, useAddMember, useChangeMember, useMembers, useRemoveMember } from "./members";
import { ConfirmButton, Section, Table } from "./parts/parts";
import { Told } from "./parts/Told";

/** The people who take part in a book, with their roles. */
export function Members({ project }: { project: string }) {
  const { t } = useTranslation();
  const members = useMembers(project);
  return (
    <>
      <AddMember project={project} />
      <Section title={t("settings.members.title")}>
        <Asked query={members}>{(rows) => <Rows project={project} rows={rows} />}</Asked>
      </Section>
    </>
  );
}

function AddMember({ project }: { project: string }) {
  const { t } = useTranslation();
  const [name, call] = useState("");
  const [role, choose] = useState<Right>("comment");
  const [until, end] = useState("");
  const [made, show] = useState<NewMember>();
  const add = useAddMember(project);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = (member: NewMember) => {
      show(member);
      call("");
    };
    add.mutate({ name: name.trim(), role, expires: endOf(until) }, { onSuccess: done });
  };
  return (
    <Section title={t("settings.members.add")} about={t("settings.members.add_about")}>
      {made && (
        <MadeKey
          title={t("settings.members.made", { name: made.name })}
          secret={made.secret}
          onSeen={() => show(undefined)}
        />
      )}
      <form onSubmit={submit} className={styles.form}>
        <TextField
          label={t("settings.members.name")}
          value={name}
          onChange={(event) => call(event.target.value)}
        />
        <RoleSelect label={t("settings.members.role")} role={role} onChange={choose} />
        <TextField
          label={t("settings.access.until")}
          type="date"
          value={until}
          onChange={(event) => end(event.target.value)}
        />
        <Button kind="main" type="submit" disabled={add.isPending || name.trim() === ""}>
          {t("settings.members.add")}
        </Button>
      </form>
      <Told error={add.error} />
    </Section>
  );
}

type RoleProps = { label: string; role: Right; isDisabled?: boolean; onChange(role: Right): void };

function RoleSelect({ label, role, isDisabled, onChange }: RoleProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={label}
      value={role}
      disabled={isDisabled}
      onChange={(event) => onChange(event.target.value as Right)}
    >
      {memberRoles.map((each) => (
        <option key={each} value={each}>
          {t(`settings.right.${each}`)}
        </option>
      ))}
    </Select>
  );
}

function Rows({ project, rows }: { project: string; rows: readonly MemberRow[] }) {
  const { t } = useTranslation();
  const { ago, when } = useDates();
  const change = useChangeMember(project);
  const remove = useRemoveMember(project);
  const now = useNow(true);
  if (rows.length === 0) return <Empty title={t("settings.members.none")} />;
  return (
    <>
      <Told error={change.error ?? remove.error} />
      <Table
        label={t("settings.members.title")}
        head={
          <tr>
            <th scope="col">{t("settings.members.name")}</th>
            <th scope="col">{t("settings.members.role")}</th>
            <th scope="col">{t("settings.access.used")}</th>
            <th scope="col">{t("settings.access.until")}</th>
            <th scope="col">
              <span className="unseen">{t("settings.members.remove")}</span>
            </th>
          </tr>
        }
      >
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">{row.name}</th>
            <td>
              <RoleSelect
                label={t("settings.members.role_of", { name: row.name })}
                role={row.role}
                isDisabled={change.isPending}
                onChange={(role) => change.mutate({ member: row.key, role })}
              />
            </td>
            <td>
              {isHere(row.last_used, now) ? (
                <Tag>{t("settings.members.here")}</Tag>
              ) : row.last_used ? (
                ago(row.last_used)
              ) : (
                t("settings.access.never")
              )}
            </td>
            <td>{row.expires ? when(row.expires) : t("settings.access.no_end")}</td>
            <td>
              <ConfirmButton
                label={t("settings.members.remove")}
                of={row.name}
                question={t("settings.members.remove_sure")}
                isBusy={remove.isPending}
                onConfirm={() => remove.mutate(row.key)}
              />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}
