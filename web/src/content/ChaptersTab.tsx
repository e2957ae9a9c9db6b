import { useVirtualizer } from "@tanstack/react-virtual";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { queries } from "../api/queries";
import type { Document, ProjectView } from "../api/story";
import { ButtonLink } from "../parts/Button";
import { Select } from "../parts/Field";
import { Empty } from "../parts/states";
import { CopyButton, Section } from "../settings/parts/parts";
import { at } from "../shell/places";
import { chaptersOf } from "./chapters";
import styles from "./Export.module.css";
import { apart, ask, bookUrl } from "./files";

const ROW = 44;
const platforms = ["qidian", "fanqie", "txt"] as const;
type Platform = (typeof platforms)[number];

/** Chapters for the pages of platforms, where authors paste title and body apart. */
export function ChaptersTab({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const [platform, choose] = useState<Platform>("qidian");
  const chapters = chaptersOf(view);
  if (chapters.length === 0)
    return (
      <Empty title={t("content.export.book.none")}>
        <ButtonLink href={at.place(view.project.project, "write")}>
          {t("content.export.book.write")}
        </ButtonLink>
      </Empty>
    );
  return (
    <Section
      title={t("content.export.chapters.title")}
      about={t("content.export.chapters.about")}
      actions={
        <Select
          label={t("content.export.chapters.platform")}
          value={platform}
          onChange={(event) => choose(event.target.value as Platform)}
        >
          {platforms.map((name) => (
            <option key={name} value={name}>
              {t(`content.export.form.${name}`)}
            </option>
          ))}
        </Select>
      }
    >
      <Chapters key={platform} project={view.project.project} platform={platform} chapters={chapters} />
    </Section>
  );
}

type ChaptersProps = { project: string; platform: Platform; chapters: readonly Document[] };

function Chapters({ project, platform, chapters }: ChaptersProps) {
  const { t } = useTranslation();
  const frame = useRef<HTMLDivElement>(null);
  const [copied, mark] = useState<ReadonlySet<string>>(new Set());
  const list = useVirtualizer({
    count: chapters.length,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW,
    overscan: 8,
  });
  const take = (part: "title" | "body", chapter: Document) => async () => {
    const found = await copyOf(project, platform, chapter);
    if (part === "body") mark((before) => new Set(before).add(chapter.id));
    return found[part];
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <div ref={frame} className={styles.chapters} role="region" aria-label={t("shell.chapters")} tabIndex={0}>
      <ul style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(({ index, start }) => {
          const chapter = chapters[index];
          if (!chapter) return null;
          const { id, title } = chapter;
          return (
            <li key={id} className={styles.chapter} style={{ transform: `translateY(${start}px)` }}>
              <span>{index + 1}</span>
              <span className={styles.title}>{title}</span>
              {copied.has(id) && <span className={styles.done}>✓</span>}
              <CopyButton
                label={t("content.export.chapters.copy_title")}
                name={t("content.export.chapters.copy_title_of", { title })}
                text={take("title", chapter)}
              />
              <CopyButton
                label={t("content.export.chapters.copy_body")}
                name={t("content.export.chapters.copy_body_of", { title })}
                text={take("body", chapter)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** A chapter as the platform wants it, asked for once for both of its buttons. */
function copyOf(project: string, platform: Platform, { id, version }: Document) {
  return queries.fetchQuery({
    queryKey: ["project", project, "copy", platform, id, version],
    queryFn: async () => {
      const chapter = await ask(bookUrl(project, { format: platform, from: id, to: id }));
      return apart(await chapter.text());
    },
  });
}
