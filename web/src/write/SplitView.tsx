import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { keys, useChapters } from "../api/queries";
import type { ProjectView } from "../api/story";
import { type Chapter, chaptersOf } from "../chapters/list";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { Select } from "../parts/Field";
import { Asked } from "../parts/states";
import { at } from "../shell/places";
import { addressOf } from "../story/addresses";
import type { Book } from "../story/book";
import { useKindWords } from "../story/parts";
import { emphasisOf } from "./emphasis";
import { PieceTold } from "./NameCard";
import { Plan } from "./Planned";
import prose from "./Prose.module.css";
import styles from "./SplitView.module.css";
import { type Beside, besideOf, keyOfBeside, useSplit } from "./split";
import { paragraphsOf } from "./text";
import { loadText } from "./wire";

type Props = { view: ProjectView; book: Book; chapter: Chapter; beside: Beside };

/** The other half of the page: another chapter, the outline, or a card, to be read while one writes. */
export function SplitView({ view, book, chapter, beside }: Props) {
  const { t } = useTranslation();
  const { project } = view.project;
  const show = useSplit((state) => state.show);
  const { data: list } = useChapters(project);
  const chapters = chaptersOf(list?.chapters ?? [], view.story);
  const kindOf = useKindWords();
  const cards = book.pieces.filter(({ kind }) => kind !== "document" && kind !== "outline_node");
  return (
    <aside className={styles.split} aria-label={t("write.split.title")}>
      <header className={styles.head}>
        <Select
          label={t("write.split.what")}
          value={keyOfBeside(beside)}
          onChange={(event) => show(project, besideOf(event.target.value))}
        >
          <option value="outline">{t("shell.nav.outline")}</option>
          <optgroup label={t("shell.chapters")}>
            {chapters
              .filter(({ document }) => document && document.id !== chapter.document?.id)
              .map(({ document, title }) => (
                <option key={document?.id} value={keyOfBeside({ kind: "chapter", id: document?.id ?? "" })}>
                  {title}
                </option>
              ))}
          </optgroup>
          <optgroup label={t("write.split.cards")}>
            {cards.map(({ kind, id, name }) => (
              <option key={`${kind}${id}`} value={keyOfBeside({ kind: "piece", id })}>
                {name} · {kindOf(kind)}
              </option>
            ))}
          </optgroup>
        </Select>
        <button type="button" aria-label={t("common.close")} onClick={() => show(project, undefined)}>
          <X size={16} aria-hidden />
        </button>
      </header>
      <div className={styles.body} data-testid="split">
        {beside.kind === "outline" && <Outline project={project} chapters={chapters} here={chapter} />}
        {beside.kind === "chapter" && (
          <Other
            key={beside.id}
            project={project}
            document={beside.id}
            here={chapter}
            title={chapters.find(({ document }) => document?.id === beside.id)?.title ?? ""}
            language={view.story.language === "en" ? "en" : "zh"}
          />
        )}
        {beside.kind === "piece" && <Card project={project} book={book} id={beside.id} here={chapter} />}
      </div>
    </aside>
  );
}

type OtherProps = { project: string; document: string; title: string; here: Chapter; language: string };

/** Another chapter, to be read; the two can change places. */
function Other({ project, document, title, here, language }: OtherProps) {
  const { t } = useTranslation();
  const show = useSplit((state) => state.show);
  const [, go] = useLocation();
  const query = useQuery({
    queryKey: [...keys.chapter(project, document), "text"],
    queryFn: () => loadText(project, document),
  });
  const swap = () => {
    if (here.document) show(project, { kind: "chapter", id: here.document.id });
    go(at.chapter(project, document));
  };
  return (
    <article lang={language === "zh" ? "zh-CN" : language}>
      <h2>{title}</h2>
      <Button onClick={swap}>{t("write.split.swap")}</Button>
      <Asked query={query}>
        {({ text }) => (
          <div className={`${prose.prose} ${styles.prose}`} lang={language === "zh" ? "zh-CN" : language}>
            {paragraphsOf(text).map((line, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a paragraph is known by its place
              <Line key={place} line={line} />
            ))}
          </div>
        )}
      </Asked>
    </article>
  );
}

/** A paragraph with its bold and italic words. */
function Line({ line }: { line: string }) {
  return (
    <p>
      {emphasisOf(line).stretches.map(({ from, to, isBold, isItalic }) => {
        const words = line.slice(from, to);
        const face = isItalic ? <em key={from}>{words}</em> : words;
        return isBold ? <strong key={from}>{face}</strong> : face;
      })}
    </p>
  );
}

type OutlineProps = { project: string; chapters: readonly Chapter[]; here: Chapter };

/** The outline's plan for every chapter, in more detail for the chapter that is written. */
function Outline({ project, chapters, here }: OutlineProps) {
  const { t } = useTranslation();
  return (
    <ol className={styles.outline}>
      {chapters.map(({ id, title, node }) => {
        const isHere = id === here.id;
        return (
          <li key={id} aria-current={isHere || undefined}>
            <Link href={at.chapter(project, id)}>{title}</Link>
            {isHere && <Tag>{t("write.split.here")}</Tag>}
            {node?.description && <p>{node.description}</p>}
            {isHere && <Plan node={node} />}
          </li>
        );
      })}
    </ol>
  );
}

type CardProps = { project: string; book: Book; id: string; here: Chapter };

/** The card of someone or something, as of this chapter. */
function Card({ project, book, id, here }: CardProps) {
  const { t } = useTranslation();
  const kindOf = useKindWords();
  const piece = book.pieces.find((one) => one.id === id);
  if (!piece) return <Dim>{t("write.split.gone")}</Dim>;
  return (
    <article className={styles.card}>
      <h2>{piece.name}</h2>
      <Dim>{kindOf(piece.kind)}</Dim>
      <PieceTold book={book} piece={piece} chapter={here.place} />
      <Link href={addressOf(project, piece.kind, piece.id)}>{t("write.references.open")}</Link>
    </article>
  );
}
