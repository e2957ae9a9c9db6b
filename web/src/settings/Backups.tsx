import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { queries } from "../api/queries";
import type { BackupFile, BackupStatus } from "../api/schema";
import { Button } from "../parts/Button";
import { useDates } from "../parts/dates";
import { useNumbers } from "../parts/numbers";
import { Asked, Empty } from "../parts/states";
import styles from "./Mirror.module.css";
import { Section, Table } from "./parts/parts";
import { Told } from "./parts/Told";

const key = ["backups"];

/** The backups that the server makes by itself: when, how many are kept, and whether the last one worked. */
export function Backups() {
  const { t } = useTranslation();
  const query = useQuery({ queryKey: key, queryFn: () => answer(http.GET("/api/v1/backups")) });
  const make = useMutation({
    mutationFn: () => answer(http.POST("/api/v1/backups", { body: {} })),
    onSuccess: (status) => queries.setQueryData(key, status),
    onError: () => queries.invalidateQueries({ queryKey: key }),
  });
  return (
    <Section
      title={t("settings.tab.backups")}
      about={t("settings.backups.about")}
      actions={
        <Button disabled={make.isPending || query.data?.is_available === false} onClick={() => make.mutate()}>
          {t("settings.backups.make")}
        </Button>
      }
    >
      <p role="status">
        {make.isPending ? t("settings.backups.working") : make.data && t("settings.backups.done")}
      </p>
      <Told error={make.error} />
      <Asked query={query}>{(status) => <Shown status={status} />}</Asked>
    </Section>
  );
}

function Shown({ status }: { status: BackupStatus }) {
  const { t } = useTranslation();
  const { ago, when } = useDates();
  const { every, keep, next, failure, folder, backups } = status;
  if (!status.is_available) return <p>{t("settings.backups.on_server")}</p>;
  return (
    <>
      <p>
        {every && next
          ? t("settings.backups.schedule", { every, keep, next: when(next) })
          : t("settings.backups.none")}
      </p>
      {failure && (
        <p role="alert">
          {t("settings.backups.failed", { when: ago(failure.at), message: failure.message })}
        </p>
      )}
      {folder !== "" && (
        <p>
          {t("settings.backups.folder")} <code className={styles.path}>{folder}</code>
        </p>
      )}
      {backups.length === 0 ? <Empty title={t("settings.backups.empty")} /> : <Rows backups={backups} />}
      <p>{t("settings.backups.restore")}</p>
    </>
  );
}

function Rows({ backups }: { backups: readonly BackupFile[] }) {
  const { t } = useTranslation();
  const { when } = useDates();
  const { whole } = useNumbers();
  return (
    <Table
      label={t("settings.tab.backups")}
      head={
        <tr>
          <th scope="col">{t("settings.backups.at")}</th>
          <th scope="col">{t("settings.backups.size")}</th>
          <th scope="col">{t("settings.backups.file")}</th>
        </tr>
      }
    >
      {backups.map(({ name, at, bytes, is_requested }) => (
        <tr key={name}>
          <th scope="row">
            {when(at)}
            {is_requested && ` (${t("settings.backups.requested")})`}
          </th>
          <td>{t("settings.backups.kilobytes", { size: whole(Math.ceil(bytes / 1_000)) })}</td>
          <td className={styles.path}>{name}</td>
        </tr>
      ))}
    </Table>
  );
}
