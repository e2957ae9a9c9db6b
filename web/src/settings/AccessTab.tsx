import { useTranslation } from "react-i18next";
import type { KeyRow } from "../api/schema";
import { Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Asked, Empty } from "../parts/states";
import { AddUser } from "./AddUser";
import { isNotOffered, useKeys, useRevokeKey, useUsers } from "./access";
import { MakeKey } from "./MakeKey";
import { ConfirmButton, Section, Table } from "./parts/parts";
import styles from "./parts/parts.module.css";
import { Told } from "./parts/Told";

/** Who may enter, and with which keys. */
export function AccessTab() {
  const { t } = useTranslation();
  const keys = useKeys();
  if (isNotOffered(keys.error)) {
    return (
      <Empty title={t("settings.access.not_offered")}>
        <p>{t("settings.access.not_offered_about")}</p>
        <code>qingyu keys make</code>
      </Empty>
    );
  }
  return (
    <>
      <MakeKey />
      <Section title={t("settings.access.keys")}>
        <Asked query={keys}>{(rows) => <Keys rows={rows} />}</Asked>
      </Section>
      <Users />
    </>
  );
}

function Keys({ rows }: { rows: readonly KeyRow[] }) {
  const { t } = useTranslation();
  const { ago, when } = useDates();
  const revoke = useRevokeKey();
  if (rows.length === 0) return <Empty title={t("settings.access.no_keys")} />;
  return (
    <>
      <Told error={revoke.error} />
      <Table
        label={t("settings.access.keys")}
        head={
          <tr>
            <th scope="col">{t("settings.access.name")}</th>
            <th scope="col">{t("settings.access.user")}</th>
            <th scope="col">{t("settings.access.right")}</th>
            <th scope="col">{t("settings.access.projects")}</th>
            <th scope="col">{t("settings.access.used")}</th>
            <th scope="col">{t("settings.access.until")}</th>
            <th scope="col">{t("settings.access.state_title")}</th>
          </tr>
        }
      >
        {rows.map((row) => (
          <tr key={row.key}>
            <th scope="row">
              {row.name || "–"} <small className={styles.code}>{row.prefix}…</small>
            </th>
            <td>{row.user}</td>
            <td>{t(`settings.right.${row.right}`)}</td>
            <td>{row.projects?.join(", ") ?? t("common.all")}</td>
            <td>{row.last_used ? ago(row.last_used) : t("settings.access.never")}</td>
            <td>{row.expires ? when(row.expires) : t("settings.access.no_end")}</td>
            <td>
              {row.state === "active" ? (
                <ConfirmButton
                  label={t("settings.access.revoke")}
                  of={row.name || row.prefix}
                  question={t("settings.access.revoke_sure")}
                  isBusy={revoke.isPending}
                  onConfirm={() => revoke.mutate(row.key)}
                />
              ) : (
                <Tag>{t(`settings.access.state.${row.state}`)}</Tag>
              )}
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function Users() {
  const { t } = useTranslation();
  const { when } = useDates();
  const query = useUsers();
  if (isNotOffered(query.error)) return undefined;
  return (
    <Section title={t("settings.access.users")} about={t("settings.access.users_about")}>
      <AddUser />
      <Asked query={query}>
        {(users) => (
          <ul className={styles.list}>
            {users.map((user) => (
              <li key={user.user}>
                <span className={styles.grow}>
                  {user.name} <small className={styles.code}>{user.user}</small>
                </span>
                <Tag>{t(`settings.access.role.${user.role}`)}</Tag>
                {user.disabled && <Tag>{t("settings.access.disabled")}</Tag>}
                <span className={styles.about}>{when(user.created)}</span>
              </li>
            ))}
          </ul>
        )}
      </Asked>
    </Section>
  );
}
