import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { ContentForm } from "../api/schema";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Select } from "../parts/Field";
import { Asked } from "../parts/states";
import { CopyButton, Section } from "../settings/parts/parts";
import { Told } from "../settings/parts/Told";
import { at } from "../shell/places";
import { Beginning } from "./BookTab";
import styles from "./Export.module.css";
import { contentUrl, download, textOf } from "./files";

const plainForms = ["markdown", "docx", "html", "json"] as const;
type PlainForm = (typeof plainForms)[number];

/** What a production has made, as files: in a form for people, as data, or as a channel wants it. */
export function ContentTab({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const [form, choose] = useState("markdown");
  const [path, narrow] = useState("");
  const channels = view.story.production?.channels ?? [];
  const contents = view.story.fields.filter((field) => field.is_content && !field.each);
  return (
    <>
      <Section title={t("content.export.content.form")}>
        <div role="radiogroup" aria-label={t("content.export.content.form")} className={styles.forms}>
          {plainForms.map((name) => (
            <Form
              key={name}
              title={t(`content.export.form.${name}`)}
              about={t(`content.export.content_about.${name}`)}
              isChosen={form === name}
              onChoose={() => choose(name)}
            />
          ))}
          {channels.map((channel) => (
            <Form
              key={channel.name}
              title={channel.title || channel.name}
              about={
                channel.limit
                  ? t("content.export.channel_limit", { count: channel.limit })
                  : t("content.export.channel")
              }
              isChosen={form === channel.name}
              onChoose={() => choose(channel.name)}
            />
          ))}
        </div>
        <div className={styles.options}>
          <Select
            label={t("content.export.content.which")}
            value={path}
            onChange={(event) => narrow(event.target.value)}
          >
            <option value="">{t("common.all")}</option>
            {contents.map((field) => (
              <option key={field.path} value={field.path}>
                {field.title || field.path}
              </option>
            ))}
          </Select>
        </div>
      </Section>
      <Files project={project} form={form} path={path} fields={view.story.fields} />
    </>
  );
}

type FormProps = { title: string; about: string; isChosen: boolean; onChoose: () => void };

function Form({ title, about, isChosen, onChoose }: FormProps) {
  return (
    <label className={styles.form}>
      <input type="radio" name="content-form" className="unseen" checked={isChosen} onChange={onChoose} />
      <strong>{title}</strong>
      <span>{about}</span>
    </label>
  );
}

/** The form as the server knows it: what is none of the plain ones is a channel. */
export function formOf(name: string): ContentForm {
  return plainForms.includes(name as PlainForm) ? (name as PlainForm) : { channel: name };
}

type FilesProps = { project: string; form: string; path: string; fields: ProjectView["story"]["fields"] };

function Files({ project, form, path, fields }: FilesProps) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: [...keys.project(project), "files", form, path],
    queryFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/exports/content", {
          params: { path: { project } },
          // The page shows what is not ready beside the files, so nothing is refused here.
          body: { format: formOf(form), paths: path ? [path] : [], draft: true },
        }),
      ),
    placeholderData: keepPreviousData,
  });
  const take = useMutation({
    mutationFn: (file: number) =>
      download(contentUrl(project, { format: form, path: path || undefined, file, draft: "true" })),
  });
  const titles = (paths: string[]) =>
    paths.map((one) => fields.find((field) => field.path === one)?.title || one).join(t("content.and"));
  return (
    <Asked query={query}>
      {({ files, missing, stale, too_long: tooLong, problems = [] }) => (
        <Section title={t("content.export.files", { count: files.length })}>
          {missing.length > 0 && (
            <p className={styles.warning}>{t("content.export.missing", { titles: titles(missing) })}</p>
          )}
          {stale.length > 0 && (
            <p className={styles.warning}>
              {t("content.export.stale", { titles: titles(stale) })}{" "}
              <Link href={at.place(project, "content")}>{t("shell.nav.content")}</Link>
            </p>
          )}
          {problems
            .filter(({ kind }) => kind !== "empty" && kind !== "stale")
            .map(({ path: of, kind, title, words, found, wanted }) => (
              <p key={`${of} ${kind} ${words}`} className={styles.warning}>
                {t(`content.export.problem.${kind as "open"}`, { title, words, found, wanted })}
              </p>
            ))}
          {tooLong.map(({ channel, length, limit }) => (
            <p key={channel} className={styles.warning}>
              {t("content.export.too_long", { channel, length, limit })}
            </p>
          ))}
          <Told error={take.error} />
          <p role="status" className={take.data ? undefined : "unseen"}>
            {take.data && t("content.export.taken", { name: take.data })}
          </p>
          {files.map((file, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a file is known by its place
            <article key={place} className={styles.text}>
              <header>
                <h3>
                  {file.title}.{file.extension}
                </h3>
                {file.extension !== "docx" && <CopyButton text={textOf(file.bytes)} />}
                <Button
                  kind={place === 0 ? "main" : undefined}
                  disabled={take.isPending}
                  onClick={() => take.mutate(place)}
                >
                  {t("common.download")}
                </Button>
              </header>
              {file.extension === "docx" ? (
                <p>{t("content.export.no_preview")}</p>
              ) : (
                <Beginning text={textOf(file.bytes)} />
              )}
            </article>
          ))}
        </Section>
      )}
    </Asked>
  );
}
