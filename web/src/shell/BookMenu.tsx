import { useMutation } from "@tanstack/react-query";
import { Ellipsis } from "lucide-react";
import { useCallback, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "wouter";
import { useProject } from "../api/queries";
import type { BookForm } from "../api/schema";
import { useChapterState } from "../chapters/state";
import { bookUrl, download } from "../content/files";
import { Dialog } from "../parts/Dialog";
import { Menu, type MenuItem, type MenuPlace } from "../parts/Menu";
import { useProblemText } from "../parts/states";
import { RenameBook } from "../shelf/RenameBook";
import styles from "./ProjectTree.module.css";
import { at } from "./places";

/** The title of the book over its chapters, and what can be done with the book as a whole. */
export function BookMenu({ project }: { project: string }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const { data } = useProject(project);
  const button = useRef<HTMLButtonElement>(null);
  const [place, setPlace] = useState<MenuPlace>();
  const [isNaming, name] = useState(false);
  const problemText = useProblemText();
  const tell = (text: string, isFailure: boolean) =>
    useChapterState.getState().notify({ project, text, isFailure, undo: undefined });
  const take = useMutation({
    mutationFn: async (format: BookForm) => {
      // Unsaved text belongs into the file.
      const { open } = useChapterState.getState();
      if (open?.project === project) await open.save();
      return download(bookUrl(project, { format }));
    },
    onSuccess: (file) => tell(t("content.export.taken", { name: file }), false),
    onError: (error) => tell(problemText(error), true),
  });
  const close = useCallback(() => {
    setPlace(undefined);
    button.current?.focus();
  }, []);
  const title = data?.project.title ?? "";
  const items: MenuItem[] = [
    { name: t("shell.book.rename"), act: () => name(true) },
    { name: t("shell.book.word"), act: () => take.mutate("docx") },
    { name: t("shell.book.epub"), act: () => take.mutate("epub") },
    { name: t("shell.book.others"), act: () => go(at.place(project, "export")) },
  ];
  return (
    <div className={styles.head}>
      <Link href={at.project(project)} className={styles.book}>
        {title}
      </Link>
      <button
        ref={button}
        type="button"
        className={styles.more}
        aria-haspopup="menu"
        aria-expanded={place !== undefined}
        aria-label={t("shell.book.menu", { title })}
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          setPlace({ left, top: bottom + 4 });
        }}
      >
        <Ellipsis size={16} aria-hidden />
      </button>
      {place && <Menu label={t("shell.book.menu", { title })} items={items} at={place} onClose={close} />}
      {isNaming && (
        <Dialog label={t("shell.book.rename")} onClose={() => name(false)}>
          <h2>{t("shell.book.rename")}</h2>
          <RenameBook project={project} title={title} onDone={() => name(false)} />
        </Dialog>
      )}
    </div>
  );
}
