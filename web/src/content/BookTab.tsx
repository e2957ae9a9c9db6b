import { keepPreviousData, useMutation, useQuery } from "@tanstack/react-query";
import { type Dispatch, type SetStateAction, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/queries";
import type { ProjectView } from "../api/story";
import { Button, ButtonLink } from "../parts/Button";
import { Select, TextField } from "../parts/Field";
import { Asked, Empty } from "../parts/states";
import { Section } from "../settings/parts/parts";
import { Told } from "../settings/parts/Told";
import { at } from "../shell/places";
import { chaptersOf } from "./chapters";
import styles from "./Export.module.css";
import { ask, type BookWanted, beginning, bookForms, bookUrl, download, isBinary } from "./files";

const PREVIEWED = 24;

/** The chapters as one file. */
export function BookTab({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const chapters = chaptersOf(view);
  const [wanted, want] = useState<BookWanted>({ format: "docx" });
  const take = useMutation({ mutationFn: () => download(bookUrl(project, wanted)) });
  const idOf = (number: number | undefined) => (number === undefined ? undefined : chapters[number - 1]?.id);
  const numberOf = (id: string | undefined) =>
    id === undefined ? undefined : chapters.findIndex((chapter) => chapter.id === id) + 1;
  if (chapters.length === 0) {
    return (
      <Empty title={t("content.export.book.none")}>
        <ButtonLink href={at.place(project, "write")}>{t("content.export.book.write")}</ButtonLink>
      </Empty>
    );
  }
  return (
    <>
      <Section title={t("content.export.book.form")}>
        <Forms wanted={wanted} want={want} />
      </Section>
      <Section title={t("content.export.book.what")}>
        <div className={styles.options}>
          <ChapterSelect
            label={t("content.export.book.from")}
            any={t("content.export.book.first")}
            titles={chapters.map((chapter) => chapter.title)}
            value={numberOf(wanted.from)}
            onChange={(number) => want({ ...wanted, from: idOf(number) })}
          />
          <ChapterSelect
            label={t("content.export.book.to")}
            any={t("content.export.book.last")}
            titles={chapters.map((chapter) => chapter.title)}
            value={numberOf(wanted.to)}
            onChange={(number) => want({ ...wanted, to: idOf(number) })}
          />
          <TextField
            label={t("content.export.book.author")}
            value={wanted.author ?? ""}
            onChange={(event) => want({ ...wanted, author: event.target.value })}
          />
        </div>
        <div className={styles.acts}>
          <Button kind="main" disabled={take.isPending} onClick={() => take.mutate()}>
            {take.isPending ? t("content.export.taking") : t("common.download")}
          </Button>
          <span role="status">{take.data && t("content.export.taken", { name: take.data })}</span>
        </div>
        <Told error={take.error} />
      </Section>
      <Preview project={project} wanted={wanted} first={chapters[0]?.id} />
    </>
  );
}

function Forms({ wanted, want }: { wanted: BookWanted; want: Dispatch<SetStateAction<BookWanted>> }) {
  const { t } = useTranslation();
  return (
    <div role="radiogroup" aria-label={t("content.export.book.form")} className={styles.forms}>
      {bookForms.map((format) => (
        <label key={format} className={styles.form}>
          <input
            type="radio"
            name="form"
            className="unseen"
            checked={wanted.format === format}
            onChange={() => want({ ...wanted, format })}
          />
          <strong>{t(`content.export.form.${format}`)}</strong>
          <span>{t(`content.export.form_about.${format}`)}</span>
        </label>
      ))}
    </div>
  );
}

type ChapterSelectProps = {
  label: string;
  any: string;
  titles: readonly string[];
  value: number | undefined;
  onChange: (chapter: number | undefined) => void;
};

function ChapterSelect({ label, any, titles, value, onChange }: ChapterSelectProps) {
  return (
    <Select
      label={label}
      value={value ?? ""}
      onChange={(event) => onChange(event.target.value === "" ? undefined : Number(event.target.value))}
    >
      <option value="">{any}</option>
      {titles.map((title, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chapter is known here by its place
        <option key={place} value={place + 1}>
          {title}
        </option>
      ))}
    </Select>
  );
}

type PreviewProps = { project: string; wanted: BookWanted; first: string | undefined };

/** The beginning of the file; where that is no text, of the same in Markdown. */
function Preview({ project, wanted, first: opening }: PreviewProps) {
  const { t } = useTranslation();
  const { from: first = opening, author } = wanted;
  const format = isBinary(wanted.format) ? "markdown" : wanted.format;
  const query = useQuery({
    queryKey: [...keys.project(project), "preview", format, first, author],
    queryFn: async () => (await ask(bookUrl(project, { format, from: first, to: first, author }))).text(),
    placeholderData: keepPreviousData,
  });
  return (
    <Section
      title={t("content.export.preview")}
      about={isBinary(wanted.format) ? t("content.export.preview_binary") : undefined}
    >
      <Asked query={query}>{(text) => <Beginning text={text} />}</Asked>
    </Section>
  );
}

/** The first lines of a text, as they stand in the file. */
export function Beginning({ text }: { text: string }) {
  const { t } = useTranslation();
  const start = beginning(text, PREVIEWED);
  return (
    <div className={styles.preview}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard */}
      <pre tabIndex={0}>{start.text}</pre>
      {start.isMore && <p>{t("content.export.more")}</p>}
    </div>
  );
}
