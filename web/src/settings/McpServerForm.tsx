import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SettingChange } from "../api/schema";
import { Button } from "../parts/Button";
import { Select, TextArea, TextField } from "../parts/Field";
import { rights } from "./access";
import { refused, useChangeSettings } from "./changes";
import styles from "./McpServers.module.css";
import { isName, type Server, settingOf } from "./mcp";
import { Segments } from "./parts/parts";
import { Told } from "./parts/Told";

type Props = {
  server: Server;
  isNew?: boolean;
  onDone: (change: SettingChange | undefined) => void;
  onCancel: () => void;
};

/** A server of tools, as it is typed. */
export function McpServerForm({ server, isNew = false, onDone, onCancel }: Props) {
  const { t } = useTranslation();
  const [typed, type] = useState(server);
  const change = useChangeSettings("");
  const put = (more: Partial<Server>) => type({ ...typed, ...more });
  const place = typed.kind === "program" ? typed.command : typed.url;
  const isWhole = isName(typed.name) && place.trim() !== "";
  const why = refused(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const step = { key: `mcp_servers.${typed.name}`, value: settingOf(typed) };
    change.mutate([step], { onSuccess: ([done]) => onDone(done) });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <TextField
        label={t("settings.mcp.name")}
        placeholder="clock"
        value={typed.name}
        disabled={!isNew}
        aria-invalid={typed.name !== "" && !isName(typed.name)}
        onChange={(event) => put({ name: event.target.value })}
      />
      <Segments
        label={t("settings.mcp.kind")}
        value={typed.kind}
        options={[
          ["program", t("settings.mcp.program")],
          ["address", t("settings.mcp.address")],
        ]}
        onChange={(kind) => put({ kind })}
      />
      {typed.kind === "program" ? <Program typed={typed} put={put} /> : <Address typed={typed} put={put} />}
      <TextArea
        label={t("settings.mcp.allow")}
        rows={2}
        value={typed.allow}
        onChange={(event) => put({ allow: event.target.value })}
      />
      <Select
        label={t("settings.mcp.permission")}
        value={typed.permission}
        onChange={(event) => put({ permission: event.target.value as Server["permission"] })}
      >
        {rights.map((right) => (
          <option key={right} value={right}>
            {t(`settings.right.${right}`)}
          </option>
        ))}
      </Select>
      <TextField
        label={t("settings.mcp.timeout")}
        placeholder="30"
        inputMode="numeric"
        value={typed.timeout}
        onChange={(event) => put({ timeout: event.target.value })}
      />
      <p className={styles.acts}>
        <Button kind="main" type="submit" disabled={!isWhole || change.isPending}>
          {t("common.save")}
        </Button>
        <Button onClick={onCancel}>{t("common.cancel")}</Button>
      </p>
      {why ? (
        <p role="alert" className={styles.problem}>
          <code>{why.key}</code> {why.message}
        </p>
      ) : (
        <Told error={change.error} />
      )}
    </form>
  );
}

type PartProps = { typed: Server; put: (more: Partial<Server>) => void };

function Program({ typed, put }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t("settings.mcp.command")}
        placeholder="uvx"
        value={typed.command}
        onChange={(event) => put({ command: event.target.value })}
      />
      <TextArea
        label={t("settings.mcp.args")}
        placeholder="mcp-server-time"
        rows={2}
        value={typed.args}
        onChange={(event) => put({ args: event.target.value })}
      />
      <TextArea
        label={t("settings.mcp.env")}
        rows={2}
        value={typed.env}
        onChange={(event) => put({ env: event.target.value })}
      />
    </>
  );
}

function Address({ typed, put }: PartProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        label={t("settings.mcp.url")}
        type="url"
        placeholder="https://example.com/mcp"
        value={typed.url}
        onChange={(event) => put({ url: event.target.value })}
      />
      <TextArea
        label={t("settings.mcp.headers")}
        rows={2}
        value={typed.headers}
        onChange={(event) => put({ headers: event.target.value })}
      />
    </>
  );
}
