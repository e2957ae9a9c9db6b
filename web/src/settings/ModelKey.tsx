import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { Problem } from "../api/problem";
import type { ModelRow, ModelTrial, TrialAnswer } from "../api/schema";
import { Button } from "../parts/Button";
import { Select, TextField } from "../parts/Field";
import { useProblemText } from "../parts/states";
import styles from "./Models.module.css";
import { Section } from "./parts/parts";
import { Told } from "./parts/Told";

/** Gives the key of a provider, and shows whether its model answers. */
export function ModelKey({ providers }: { providers: readonly ModelRow[] }) {
  const { t } = useTranslation();
  const askable = providers.filter((provider) => provider.key_variable);
  const [provider, choose] = useState(askable[0]?.provider ?? "");
  const [secret, type] = useState("");
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: ["models"] });
  const keep = useMutation({
    mutationFn: async () =>
      answer(
        http.PUT("/api/v1/models/{provider}/key", {
          params: { path: { provider } },
          body: { secret: secret.trim() },
        }),
      ),
    onSuccess: () => {
      type("");
      refresh();
    },
  });
  const forget = useMutation({
    mutationFn: async () =>
      answer(http.DELETE("/api/v1/models/{provider}/key", { params: { path: { provider } } })),
    onSuccess: refresh,
  });
  const attempt = useMutation({
    mutationFn: async () => answer(http.POST("/api/v1/models/try", { body: { model: `${provider}/usual` } })),
  });
  const source = askable.find((row) => row.provider === provider)?.key_source;
  const isBusy = keep.isPending || attempt.isPending || forget.isPending;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    attempt.reset();
    if (secret.trim() !== "") await keep.mutateAsync().catch(() => undefined);
    else keep.reset();
    attempt.mutate();
  };
  const change = (provider: string) => {
    choose(provider);
    for (const done of [keep, forget, attempt]) done.reset();
  };
  return (
    <Section title={t("settings.models.give_key")} about={t("settings.models.give_key_about")}>
      <form onSubmit={submit} className={styles.give}>
        <Select
          label={t("settings.models.provider")}
          value={provider}
          onChange={(event) => change(event.target.value)}
        >
          {askable.map((row) => (
            <option key={row.provider} value={row.provider}>
              {row.provider}
            </option>
          ))}
        </Select>
        <TextField
          label={t("settings.models.key")}
          type="password"
          autoComplete="off"
          spellCheck={false}
          placeholder={source ? t(`settings.models.source.${source}`) : "sk-…"}
          value={secret}
          onChange={(event) => type(event.target.value)}
        />
        <p className={styles.acts}>
          <Button kind="main" type="submit" disabled={isBusy || (secret.trim() === "" && !source)}>
            {secret.trim() === "" ? t("settings.models.try") : t("settings.models.keep_and_try")}
          </Button>
          {source === "file" && (
            <Button onClick={() => forget.mutate()} disabled={isBusy}>
              {t("settings.models.forget")}
            </Button>
          )}
        </p>
      </form>
      <div role="status">
        {attempt.isPending && <p>{t("settings.models.trying")}</p>}
        {attempt.data && <Trial trial={attempt.data} />}
      </div>
      <Told error={keep.error ?? forget.error ?? attempt.error} />
    </Section>
  );
}

function Trial({ trial }: { trial: ModelTrial }) {
  const { t } = useTranslation();
  return (
    <div className={styles.trial} data-works={trial.works}>
      <p>
        <strong>
          {t(trial.works ? "settings.models.works" : "settings.models.works_not", { model: trial.model })}
        </strong>{" "}
        <code>{trial.address}</code>
      </p>
      <Answer label={t("settings.models.trial_text")} said={trial.text} />
      {trial.json && <Answer label={t("settings.models.trial_json")} said={trial.json} />}
      {trial.retires && <p>{t("settings.models.retires", { day: trial.retires })}</p>}
    </div>
  );
}

function Answer({ label, said }: { label: string; said: TrialAnswer }) {
  const { t } = useTranslation();
  const word = useProblemText();
  const { failure } = said;
  return (
    <p>
      {label}{" "}
      {failure
        ? word(new Problem(0, failure.code, failure.message))
        : t("settings.models.said", {
            said: said.said,
            seconds: (said.millis / 1000).toFixed(1),
            tokens: said.usage.input + said.usage.output,
          })}
    </p>
  );
}
