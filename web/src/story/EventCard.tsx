import { X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { Finding } from "../api/schema";
import type { TimelineEvent } from "../api/story";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { at } from "../shell/places";
import type { Book } from "./book";
import { PieceForm } from "./PieceForm";
import { ChapterLink, Name, Quote } from "./parts";
import styles from "./Timeline.module.css";

type Props = {
  project: string;
  book: Book;
  event: TimelineEvent;
  findings: readonly Finding[];
  onClose: () => void;
};

/** An event: what, when, who and where, and why it cannot be if the checker says so. */
export function EventCard({ project, book, event, findings, onClose }: Props) {
  const { t } = useTranslation();
  const [isEdited, edit] = useState(false);
  const told = book.chapterOf(event.outline_node);
  return (
    <article className={styles.card}>
      <header>
        <h2>{event.title}</h2>
        {event.mode !== "narrated" && <Tag>{t(`story.mode.${event.mode}`)}</Tag>}
        <Dim>
          {[event.timestamp, event.duration].filter(Boolean).join(" · ") || t("story.timeline.untimed")}
        </Dim>
        {told !== undefined && <ChapterLink project={project} book={book} number={told} />}
        <span className={styles.tools}>
          <Button aria-expanded={isEdited} onClick={() => edit(!isEdited)}>
            {t("common.edit")}
          </Button>
          <Button kind="plain" aria-label={t("common.close")} onClick={onClose}>
            <X size={16} aria-hidden />
          </Button>
        </span>
      </header>
      <p>{event.description}</p>
      <Dim>
        {event.participants.map((name, index) => (
          <span key={name}>
            {index > 0 && " · "}
            <Name project={project} book={book} name={name} />
          </span>
        ))}
        {event.location && (
          <>
            {" @ "}
            <Name project={project} book={book} name={event.location} />
          </>
        )}
        {event.deaths.length > 0 && ` · ${t("story.timeline.dies", { names: event.deaths.join(", ") })}`}
      </Dim>
      {findings.map(({ issue, instructions }) => (
        <div key={issue.id} className={styles.reason}>
          <strong>{issue.title}</strong>
          <p>{issue.root_cause}</p>
          {(issue.evidence ?? []).map(({ anchor, quote }) => (
            <Quote key={anchor}>{quote ?? ""}</Quote>
          ))}
          {instructions.map(({ specific_instruction: words }) => (
            <p key={words}>{t("story.findings.proposal", { words })}</p>
          ))}
          <Link href={at.place(project, "findings")}>{t("story.timeline.to_findings")}</Link>
        </div>
      ))}
      {isEdited && (
        <PieceForm
          project={project}
          kind="event"
          book={book}
          piece={event}
          name={event.title}
          onDone={(how) => {
            edit(false);
            if (how === "deleted") onClose();
          }}
        />
      )}
    </article>
  );
}
