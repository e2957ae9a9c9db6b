import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import type { SettingChange } from "../api/schema";
import { Button } from "../parts/Button";
import { Tag } from "../parts/Card";
import { Asked } from "../parts/states";
import { useChangeSettings, useSettings } from "./changes";
import { McpServerForm } from "./McpServerForm";
import styles from "./McpServers.module.css";
import { newServer, type Server, serversOf } from "./mcp";
import { ChangeNote } from "./parts/ChangeNote";
import { ConfirmButton, Section } from "./parts/parts";
import partStyles from "./parts/parts.module.css";
import { Told } from "./parts/Told";

/** The servers that more tools come from: added, changed, tried and removed. */
export function McpServers() {
  const { t } = useTranslation();
  const query = useSettings("");
  /** The server that is changed; an empty name for one that is added. */
  const [edited, edit] = useState<string>();
  const [change, tell] = useState<SettingChange>();
  const done = (told: SettingChange | undefined) => {
    tell(told);
    edit(undefined);
  };
  return (
    <Section
      title={t("settings.tools.servers")}
      about={t("settings.tools.servers_about")}
      actions={<Button onClick={() => edit("")}>{t("settings.mcp.add")}</Button>}
    >
      <ChangeNote change={change} />
      {edited === "" && (
        <McpServerForm server={newServer} isNew onDone={done} onCancel={() => edit(undefined)} />
      )}
      <Asked query={query}>
        {(rows) => {
          const servers = serversOf(rows);
          if (servers.length === 0 && edited === undefined) return <p>{t("settings.mcp.none")}</p>;
          return servers.map((server) =>
            edited === server.name ? (
              <McpServerForm
                key={server.name}
                server={server}
                onDone={done}
                onCancel={() => edit(undefined)}
              />
            ) : (
              <Shown key={server.name} server={server} onEdit={() => edit(server.name)} onGone={done} />
            ),
          );
        }}
      </Asked>
    </Section>
  );
}

type ShownProps = { server: Server; onEdit: () => void; onGone: (change: SettingChange | undefined) => void };

function Shown({ server, onEdit, onGone }: ShownProps) {
  const { t } = useTranslation();
  const remove = useChangeSettings("");
  const check = useMutation({
    mutationFn: () =>
      answer(http.POST("/api/v1/settings/mcp_servers/check", { body: { name: server.name } })),
  });
  const drop = () =>
    remove.mutate([{ key: `mcp_servers.${server.name}` }], { onSuccess: ([change]) => onGone(change) });
  const place =
    server.kind === "address" ? server.url : [server.command, ...server.args.split("\n")].join(" ");
  return (
    <article className={styles.server} aria-label={server.name}>
      <header>
        <h3>{server.name}</h3>
        <Tag>{t(`settings.right.${server.permission}`)}</Tag>
        <span className={styles.acts}>
          <Button onClick={() => check.mutate()} disabled={check.isPending}>
            {check.isPending ? t("settings.mcp.checking") : t("settings.mcp.check")}
          </Button>
          <Button onClick={onEdit}>{t("settings.rows.edit")}</Button>
          <ConfirmButton
            label={t("settings.mcp.remove")}
            question={t("settings.mcp.remove_sure")}
            isBusy={remove.isPending}
            onConfirm={drop}
          />
        </span>
      </header>
      <p className={partStyles.code}>{place}</p>
      <Told error={remove.error ?? check.error} />
      {check.data && (
        <div role="status" className={styles.checked}>
          {check.data.problems.length === 0 && (
            <p>{t("settings.mcp.works", { count: check.data.tools.length })}</p>
          )}
          {check.data.problems.map((problem) => (
            <p key={problem} className={styles.problem}>
              {problem}
            </p>
          ))}
          <p className={partStyles.code}>{check.data.tools.join(", ")}</p>
        </div>
      )}
    </article>
  );
}
