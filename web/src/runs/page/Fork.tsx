import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../../api/client";
import { changed, useProject } from "../../api/queries";
import { Button } from "../../parts/Button";
import { TextField } from "../../parts/Field";
import { Failed } from "../../parts/states";
import { at } from "../../shell/places";
import styles from "./SavedVersions.module.css";

/** A branch that begins after that version; the author is taken there. */
export function Fork({ project, version }: { project: string; version: number }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const { data } = useProject(project);
  const title = data?.project.title ?? project;
  const [name, type] = useState(() => t("runs.page.fork_default", { title, version }));
  const fork = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/branches", {
          params: { path: { project } },
          body: { name: name.trim(), at: version },
        }),
      ),
    onSuccess: (branch) => {
      changed(project);
      go(at.project(branch.project));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    fork.mutate();
  };
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={t("runs.page.fork_name")}
        value={name}
        onChange={(event) => type(event.target.value)}
      />
      <Button kind="main" type="submit" disabled={name.trim() === "" || fork.isPending}>
        {t("runs.page.fork_go")}
      </Button>
      {fork.error && <Failed error={fork.error} />}
    </form>
  );
}
