import { useMutation, useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { changed, keys } from "../api/queries";
import type { ProjectRow, ProjectStatus } from "../api/schema";
import { Button } from "../parts/Button";
import { Card, Dim, Excerpt, Row, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { base64 } from "../parts/files";
import { Failed } from "../parts/states";
import { at } from "../shell/places";
import { RenameBook } from "./RenameBook";
import styles from "./Shelf.module.css";
import { useBookChange } from "./useBookChange";

/** A book on the shelf, in the archive or in the bin, and what can be done with it as a whole. */
export function Book({ project }: { project: ProjectRow }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const [isNaming, name] = useState(false);
  const isBinned = project.status === "binned";
  return (
    <Card>
      <div className={styles.book}>
        <Cover project={project} />
        <div className={styles.about}>
          <h2>
            <Link href={at.project(project.project)}>{project.title}</Link>
          </h2>
          {project.premise !== project.title && <Excerpt>{project.premise}</Excerpt>}
          <Row>
            {project.branch && <Tag>{t("shelf.branch_of", { name: project.branch })}</Tag>}
            <Dim>{t("shelf.updated", { when: ago(project.updated) })}</Dim>
          </Row>
        </div>
        <Menu project={project} isBinned={isBinned} rename={() => name(true)} />
      </div>
      {isNaming && <RenameBook project={project.project} title={project.title} onDone={() => name(false)} />}
    </Card>
  );
}

/** The picture on a cover, or the title in its place. */
function Cover({ project }: { project: ProjectRow }) {
  const { data } = useQuery({
    queryKey: [...keys.project(project.project), "cover"],
    enabled: project.has_cover,
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/cover", { params: { path: { project: project.project } } }),
      ),
  });
  if (data?.media_type) {
    return <img className={styles.cover} src={`data:${data.media_type};base64,${data.picture}`} alt="" />;
  }
  return (
    <span className={styles.cover} aria-hidden>
      {project.title}
    </span>
  );
}

function Menu({ project, isBinned, rename }: { project: ProjectRow; isBinned: boolean; rename: () => void }) {
  const { t } = useTranslation();
  const [isSure, ask] = useState(false);
  const picture = useRef<HTMLInputElement>(null);
  const path = { params: { path: { project: project.project } } };
  const change = useBookChange(project.project);
  const remove = useMutation({
    mutationFn: () => answer(http.DELETE("/api/v1/projects/{project}", path)),
    onSuccess: () => changed(project.project),
  });
  const cover = useMutation({
    mutationFn: async (file?: File) => {
      const body = { picture: file ? await base64(file) : "" };
      return answer(http.PUT("/api/v1/projects/{project}/cover", { ...path, body }));
    },
    onSuccess: () => changed(project.project),
  });
  const failure = change.error ?? remove.error ?? cover.error;
  const move = (status: ProjectStatus) => (
    <Button onClick={() => change.mutate({ status })}>{t(`shelf.move.${status}`)}</Button>
  );
  return (
    <details className={styles.menu}>
      <summary aria-label={t("shelf.menu", { title: project.title })}>⋯</summary>
      <div className={styles.items}>
        {!isBinned && <Button onClick={rename}>{t("shelf.rename")}</Button>}
        {!isBinned && <Button onClick={() => picture.current?.click()}>{t("shelf.cover")}</Button>}
        {!isBinned && project.has_cover && (
          <Button onClick={() => cover.mutate(undefined)}>{t("shelf.cover_remove")}</Button>
        )}
        {project.status !== "active" && move("active")}
        {project.status === "active" && move("archived")}
        {!isBinned && move("binned")}
        {isBinned && !isSure && (
          <Button kind="danger" onClick={() => ask(true)}>
            {t("shelf.delete")}
          </Button>
        )}
        {isBinned && isSure && (
          <Button kind="danger" onClick={() => remove.mutate()} disabled={remove.isPending}>
            {t("shelf.delete_sure")}
          </Button>
        )}
        <input
          ref={picture}
          type="file"
          accept="image/png,image/jpeg,image/webp"
          className="unseen"
          aria-label={t("shelf.cover")}
          tabIndex={-1}
          onChange={(event) => {
            const file = event.target.files?.[0];
            if (file) cover.mutate(file);
            event.target.value = "";
          }}
        />
        {failure && <Failed error={failure} />}
      </div>
    </details>
  );
}
