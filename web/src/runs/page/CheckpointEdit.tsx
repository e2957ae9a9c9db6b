import { useMutation, useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../../api/client";
import { keys, queries } from "../../api/queries";
import type { CheckpointState } from "../../api/schema";
import { Button } from "../../parts/Button";
import { Select, TextArea } from "../../parts/Field";
import { Asked, Failed } from "../../parts/states";
import { at } from "../../shell/places";
import styles from "./SavedVersions.module.css";

/** The state of a run after a step. */
export function useCheckpointState(run: string, checkpoint: number) {
  return useQuery({
    queryKey: [...keys.runs, "checkpoint", run, checkpoint],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      answer(
        http.GET("/api/v1/runs/{run}/checkpoints/{checkpoint}", { params: { path: { run, checkpoint } } }),
      ),
  });
}

type Props = { project: string; run: string; checkpoint: number };

/** A field of the state after a step, to be changed: in this run at its last step, else in a new run. */
export function CheckpointEdit({ project, run, checkpoint }: Props) {
  const query = useCheckpointState(run, checkpoint);
  return (
    <Asked query={query}>
      {(state) => <Fields project={project} run={run} checkpoint={checkpoint} state={state} />}
    </Asked>
  );
}

function Fields({ project, run, checkpoint, state }: Props & { state: CheckpointState }) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const names = state.fields.filter((field) => field.is_editable).map(({ name }) => name);
  const [field, choose] = useState(names[0] ?? "");
  const [typed, type] = useState<string>();
  const value = state.values[field];
  const isText = typeof value === "string";
  const shown = typed ?? (isText ? value : JSON.stringify(value ?? null, null, 2));
  const edit = useMutation({
    mutationFn: () => {
      const values = { [field]: isText ? shown : (JSON.parse(shown) as unknown) };
      return answer(
        http.POST("/api/v1/runs/{run}/checkpoints/{checkpoint}/edit", {
          params: { path: { run, checkpoint } },
          body: { values },
        }),
      );
    },
    onSuccess: (edited) => {
      type(undefined);
      void queries.invalidateQueries({ queryKey: keys.runs });
      if (edited.is_fork) go(at.run(project, edited.run));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    edit.mutate();
  };
  return (
    <form className={styles.comparison} onSubmit={submit}>
      <p>{t("runs.page.travel_edit_about")}</p>
      <Select
        label={t("runs.page.travel_field")}
        value={field}
        onChange={({ target }) => {
          choose(target.value);
          type(undefined);
          edit.reset();
        }}
      >
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <TextArea
        label={t(isText ? "runs.page.travel_value" : "runs.page.travel_value_json")}
        rows={Math.min(16, shown.split("\n").length + 1)}
        spellCheck={false}
        value={shown}
        onChange={({ target }) => type(target.value)}
      />
      <div>
        <Button kind="main" type="submit" disabled={typed === undefined || edit.isPending}>
          {t("runs.page.travel_save")}
        </Button>
      </div>
      <p role="status">{edit.isSuccess && t("runs.page.travel_edited")}</p>
      {edit.error instanceof SyntaxError ? (
        <p role="alert">{t("runs.page.travel_no_json")}</p>
      ) : (
        edit.error && <Failed error={edit.error} />
      )}
    </form>
  );
}
