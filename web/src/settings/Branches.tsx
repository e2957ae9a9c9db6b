import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { changed, keys } from "../api/queries";
import type { BranchRow } from "../api/schema";
import { Button } from "../parts/Button";
import { useDates } from "../parts/dates";
import { TextField } from "../parts/Field";
import { Asked, Empty } from "../parts/states";
import { at } from "../shell/places";
import { BranchComparison } from "./BranchComparison";
import styles from "./Branches.module.css";
import { ConfirmButton, Section } from "./parts/parts";
import { Told } from "./parts/Told";

/** Other ways the story could go, beside the one it goes. */
export function Branches({ project }: { project: string }) {
  const { t } = useTranslation();
  const query = useQuery({
    queryKey: [...keys.project(project), "branches"],
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/branches", { params: { path: { project } } })),
  });
  return (
    <Section title={t("settings.tab.branches")} about={t("settings.branches.about")}>
      <Begin project={project} />
      <Asked query={query}>
        {(branches) =>
          branches.length === 0 ? (
            <Empty title={t("settings.branches.none")} />
          ) : (
            branches.map((branch) => <Branch key={branch.project} project={project} branch={branch} />)
          )
        }
      </Asked>
    </Section>
  );
}

function Begin({ project }: { project: string }) {
  const { t } = useTranslation();
  const [name, call] = useState("");
  const begin = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/branches", {
          params: { path: { project } },
          body: { name: name.trim() },
        }),
      ),
    onSuccess: () => {
      call("");
      changed(project);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== "") begin.mutate();
  };
  return (
    <form className={styles.begin} onSubmit={submit}>
      <TextField
        label={t("settings.branches.name")}
        placeholder={t("settings.branches.example")}
        value={name}
        onChange={(event) => call(event.target.value)}
      />
      <Button type="submit" disabled={begin.isPending || name.trim() === ""}>
        {t("settings.branches.begin")}
      </Button>
      <Told error={begin.error} />
    </form>
  );
}

function Branch({ project, branch }: { project: string; branch: BranchRow }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const [isCompared, compare] = useState(false);
  const remove = useMutation({
    mutationFn: () =>
      answer(
        http.DELETE("/api/v1/projects/{project}/branches/{name}", {
          params: { path: { project, name: branch.name } },
        }),
      ),
    onSettled: () => changed(project),
  });
  return (
    <article className={styles.card}>
      <header>
        <h3>
          <Link href={at.project(branch.project)}>{branch.name}</Link>
        </h3>
        <span>{t("settings.branches.changed", { when: ago(branch.updated) })}</span>
        <Button aria-pressed={isCompared} onClick={() => compare(!isCompared)}>
          {t("settings.branches.compare")}
        </Button>
        <ConfirmButton
          label={t("common.delete")}
          of={branch.name}
          question={t("settings.branches.sure")}
          isBusy={remove.isPending}
          onConfirm={() => remove.mutate()}
        />
      </header>
      <Told error={remove.error} />
      {isCompared && <BranchComparison project={project} name={branch.name} />}
    </article>
  );
}
