import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useDeferredValue, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { queries, useProjects } from "../api/queries";
import type { Kind, MemoryRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Select, TextField } from "../parts/Field";
import { Asked, Empty } from "../parts/states";
import styles from "./Memories.module.css";
import { ConfirmButton, Search, Section, Switch } from "./parts/parts";
import partStyles from "./parts/parts.module.css";
import { Told } from "./parts/Told";

const kinds = ["preference", "knowledge", "history"] as const satisfies Kind[];
const KEY = ["memories"] as const;
const renew = () => void queries.invalidateQueries({ queryKey: KEY });

/** What the agents remember of their author. */
export function Memories() {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const words = useDeferredValue(typed.trim());
  const query = useQuery({
    queryKey: [...KEY, words],
    queryFn: () => answer(http.GET("/api/v1/memories", { params: { query: { words: words || null } } })),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Section title={t("settings.memories.add")} about={t("settings.memories.about")}>
        <Add />
      </Section>
      <Section
        title={t("settings.tab.memories")}
        actions={<Search placeholder={t("settings.memories.search")} typed={typed} onType={type} />}
      >
        <Asked query={query}>{(memories) => <List memories={memories} isSearch={words !== ""} />}</Asked>
      </Section>
    </>
  );
}

function Add() {
  const { t } = useTranslation();
  const { data: projects = [] } = useProjects();
  const [text, say] = useState("");
  const [kind, choose] = useState<Kind>("preference");
  const [project, narrow] = useState("");
  const add = useMutation({
    mutationFn: () =>
      answer(http.POST("/api/v1/memories", { body: { kind, text: text.trim(), project: project || null } })),
    onSuccess: () => {
      say("");
      renew();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== "") add.mutate();
  };
  return (
    <form onSubmit={submit} className={styles.add}>
      <TextField
        label={t("settings.memories.text")}
        placeholder={t("settings.memories.example")}
        value={text}
        onChange={(event) => say(event.target.value)}
      />
      <Select
        label={t("settings.memories.kind")}
        value={kind}
        onChange={(event) => choose(event.target.value as Kind)}
      >
        {kinds.map((name) => (
          <option key={name} value={name}>
            {t(`settings.memories.kinds.${name}`)}
          </option>
        ))}
      </Select>
      <Select
        label={t("settings.memories.where")}
        value={project}
        onChange={(event) => narrow(event.target.value)}
      >
        <option value="">{t("settings.memories.everywhere")}</option>
        {projects.map((row) => (
          <option key={row.project} value={row.project}>
            {row.title}
          </option>
        ))}
      </Select>
      <Button kind="main" type="submit" disabled={add.isPending || text.trim() === ""}>
        {t("common.add")}
      </Button>
      <Told error={add.error} />
    </form>
  );
}

function List({ memories, isSearch }: { memories: readonly MemoryRow[]; isSearch: boolean }) {
  const { t } = useTranslation();
  if (memories.length === 0) {
    return <Empty title={isSearch ? t("settings.nothing_found") : t("settings.memories.none")} />;
  }
  return (
    <ul className={partStyles.list}>
      {memories.map((memory) => (
        <Memory key={memory.id} memory={memory} />
      ))}
    </ul>
  );
}

function Memory({ memory }: { memory: MemoryRow }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const { data: projects = [] } = useProjects();
  const path = { params: { path: { memory: memory.id } } };
  const turn = useMutation({
    mutationFn: (on: boolean) => answer(http.PATCH("/api/v1/memories/{memory}", { ...path, body: { on } })),
    onSettled: renew,
  });
  const forget = useMutation({
    mutationFn: () => answer(http.DELETE("/api/v1/memories/{memory}", path)),
    onSettled: renew,
  });
  const where = projects.find((row) => row.project === memory.project)?.title ?? memory.project;
  return (
    <li>
      <Switch
        label={t("settings.memories.holds", { text: memory.text })}
        isOn={memory.standing === "on"}
        isDisabled={turn.isPending}
        onChange={(on) => turn.mutate(on)}
      />
      <div className={partStyles.grow}>
        <p className={memory.standing === "on" ? undefined : styles.off}>{memory.text}</p>
        <p className={styles.marks}>
          <Tag>{t(`settings.memories.kinds.${memory.kind}`)}</Tag>
          <span>{t(`settings.memories.source.${memory.source}`)}</span>
          {memory.standing === "proposed" && (
            <span>{t("settings.memories.proposed", { count: memory.count })}</span>
          )}
          {where && <span>{t("settings.memories.only", { project: where })}</span>}
          <span>{ago(memory.changed)}</span>
        </p>
        <Evidence memory={memory} />
      </div>
      <ConfirmButton
        label={t("settings.memories.forget")}
        question={t("settings.memories.sure")}
        isBusy={forget.isPending}
        onConfirm={() => forget.mutate()}
      />
      <Told error={turn.error ?? forget.error} />
    </li>
  );
}

/** What a learnt memory rests on. */
function Evidence({ memory }: { memory: MemoryRow }) {
  const { t } = useTranslation();
  const shown = memory.evidence.filter(({ before, after }) => before !== "" || after !== "");
  if (memory.source !== "learnt" || shown.length === 0) return undefined;
  return (
    <details className={styles.evidence}>
      <summary>{t("settings.memories.evidence", { count: shown.length })}</summary>
      <ul>
        {shown.map(({ at, before, after }) => (
          <li key={`${at}${before}`}>
            <del>{before}</del> <ins>{after}</ins>
          </li>
        ))}
      </ul>
    </details>
  );
}
