import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http, key } from "../api/client";
import { keys } from "../api/queries";
import type { CommentRow } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { TextArea } from "../parts/Field";
import { Failed } from "../parts/states";
import { at } from "../shell/places";
import styles from "./Comments.module.css";
import { orderOf } from "./comments";
import { Panel } from "./Panel";
import type { Commenting } from "./useComments";
import type { Proposing } from "./useProposals";

type Props = {
  project: string;
  /** The document of the chapter. */
  document: string;
  commenting: Commenting;
  proposing: Proposing;
  onClose(): void;
};

/** The comments on a chapter's words, beside the text. */
export function CommentsPanel({ project, document, commenting, proposing, onClose }: Props) {
  const { t } = useTranslation();
  const [isEvery, setEvery] = useState(false);
  const { comments, draft, error, seen } = commenting;
  const shown = comments.filter(({ resolved, id }) => isEvery || !resolved || id === seen);
  const resolved = comments.filter((comment) => comment.resolved).length;
  return (
    <Panel title={t("write.comments.title")} about={t("write.comments.about")} onClose={onClose}>
      {error ? <Failed error={error} /> : null}
      {draft && (
        <section className={styles.comment} aria-label={t("write.comments.new")}>
          <blockquote className={styles.quote}>{draft.quote}</blockquote>
          <Say
            label={t("write.comments.text")}
            action={t("write.comments.add")}
            words={draft.quote}
            isBusy={commenting.isBusy}
            onSay={commenting.add}
            onCancel={commenting.dropDraft}
          />
        </section>
      )}
      {resolved > 0 && (
        <label className={styles.every}>
          <input type="checkbox" checked={isEvery} onChange={(event) => setEvery(event.target.checked)} />
          {t("write.comments.every", { count: resolved })}
        </label>
      )}
      {shown.length === 0 && !draft && <Dim>{t("write.comments.none")}</Dim>}
      <ol className={styles.list} aria-label={t("write.comments.title")}>
        {shown.map((comment) => (
          <Thread key={comment.id} comment={comment} commenting={commenting} proposing={proposing} />
        ))}
      </ol>
      <Others project={project} document={document} />
    </Panel>
  );
}

/** The open comments of the book's other chapters, and the way to them. */
function Others({ project, document }: { project: string; document: string }) {
  const { t } = useTranslation();
  const [isOpen, open] = useState(false);
  const query = useQuery({
    queryKey: [...keys.project(project), "comments"],
    enabled: isOpen,
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/comments", { params: { path: { project } } })),
  });
  const others = (query.data?.comments ?? []).filter(
    (comment) => !comment.resolved && comment.document !== document,
  );
  return (
    <>
      <Button aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {t("write.comments.others")}
      </Button>
      {isOpen && query.error ? <Failed error={query.error} /> : null}
      {isOpen && query.isSuccess && others.length === 0 && <Dim>{t("write.comments.none_others")}</Dim>}
      {isOpen && (
        <ul className={styles.list} aria-label={t("write.comments.others")}>
          {others.map(({ id, document, chapter, quote, thread }) => (
            <li key={id} className={styles.comment}>
              {chapter === "" ? (
                <Tag>{t("write.comments.chapter_gone")}</Tag>
              ) : (
                <Link href={at.chapter(project, document)}>{chapter}</Link>
              )}
              <blockquote className={styles.quote}>{quote}</blockquote>
              <Dim>{thread.at(-1)?.text}</Dim>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

type ThreadProps = { comment: CommentRow; commenting: Commenting; proposing: Proposing };

function Thread({ comment, commenting, proposing }: ThreadProps) {
  const { t } = useTranslation();
  const { ago, when } = useDates();
  const [isAnswering, setAnswering] = useState(false);
  const card = useRef<HTMLLIElement>(null);
  const { id, quote, place, replacement, resolved, thread } = comment;
  const isSuggestion = replacement != null;
  const isSeen = commenting.seen === id;
  useEffect(() => {
    if (isSeen) card.current?.scrollIntoView({ block: "nearest" });
  }, [isSeen]);
  const send = () => {
    if (commenting.select(id)) proposing.give("selection", "own", { words: orderOf(comment) });
  };
  return (
    <li ref={card} className={styles.comment} data-seen={isSeen || undefined} data-testid={id}>
      {place ? (
        <button type="button" className={styles.quote} onClick={() => commenting.select(id)}>
          {quote}
        </button>
      ) : (
        <>
          <blockquote className={styles.quote}>{quote}</blockquote>
          <Tag>{t("write.comments.gone")}</Tag>
        </>
      )}
      {isSuggestion && (
        <p>→ {replacement === "" ? <em>{t("write.comments.deletion")}</em> : <ins>{replacement}</ins>}</p>
      )}
      {resolved && <Tag>{t("write.comments.resolved")}</Tag>}
      {thread.map(({ author, at, text }) => (
        <div key={`${at}${text}`} className={styles.entry}>
          <Dim>
            {author !== "person" ? author : t(key() ? "write.comments.author" : "write.comments.you")}{" "}
            {at && <time title={when(at)}>{ago(at)}</time>}
          </Dim>
          {text && <p>{text}</p>}
        </div>
      ))}
      <div className={styles.acts}>
        <Button aria-expanded={isAnswering} onClick={() => setAnswering(!isAnswering)}>
          {t("write.comments.reply")}
        </Button>
        {isSuggestion && place && !resolved && (
          <Button onClick={() => proposing.decideOrder(id, true)}>{t("write.comments.accept")}</Button>
        )}
        <Button
          disabled={commenting.isBusy}
          onClick={() => commenting.change(id, { action: resolved ? "reopen" : "resolve" })}
        >
          {t(`write.comments.${resolved ? "reopen" : isSuggestion ? "decline" : "resolve"}`)}
        </Button>
        {place && !resolved && <Button onClick={send}>{t("write.comments.send")}</Button>}
        <Button kind="plain" disabled={commenting.isBusy} onClick={() => commenting.remove(id)}>
          {t("write.comments.remove")}
        </Button>
      </div>
      {isAnswering && (
        <Say
          label={t("write.comments.reply_text")}
          action={t("write.comments.reply_send")}
          isBusy={commenting.isBusy}
          onSay={(text) => {
            commenting.change(id, { action: "reply", text });
            setAnswering(false);
          }}
          onCancel={() => setAnswering(false)}
        />
      )}
    </li>
  );
}

type SayProps = {
  label: string;
  action: string;
  /** The words for which other words can be suggested; none for a reply. */
  words?: string;
  isBusy: boolean;
  onSay(text: string, replacement?: string): void;
  onCancel(): void;
};

/** A remark to be typed, and the words suggested instead; Ctrl+Enter sends it. */
function Say({ label, action, words, isBusy, onSay, onCancel }: SayProps) {
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [suggested, suggest] = useState<string>();
  const isEmpty = text.trim() === "" && (suggested === undefined || suggested === words);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // The panel takes the focus when it opens; what is to be typed has it then.
    const frame = requestAnimationFrame(() => form.current?.querySelector("textarea")?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty) onSay(text.trim(), suggested);
  };
  return (
    <form ref={form} className={styles.say} onSubmit={submit}>
      <TextArea
        label={label}
        value={text}
        rows={3}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          if (!event.nativeEvent.isComposing) form.current?.requestSubmit();
        }}
      />
      {suggested !== undefined && (
        <TextArea
          label={t("write.comments.suggested")}
          value={suggested}
          rows={3}
          onChange={(event) => suggest(event.target.value)}
        />
      )}
      <div className={styles.acts}>
        {words !== undefined && (
          <Button
            aria-pressed={suggested !== undefined}
            onClick={() => suggest(suggested === undefined ? words : undefined)}
          >
            {t("write.comments.suggest")}
          </Button>
        )}
        <Button type="submit" kind="main" disabled={isBusy || isEmpty}>
          {action}
        </Button>
        <Button kind="plain" onClick={onCancel}>
          {t("common.cancel")}
        </Button>
      </div>
    </form>
  );
}
