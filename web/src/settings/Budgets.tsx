import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SettingChange, SettingRow } from "../api/schema";
import { Button } from "../parts/Button";
import { TextField } from "../parts/Field";
import { Asked } from "../parts/states";
import styles from "./Budgets.module.css";
import { type Budget, budgetOf, countsFreeModels, limits, steps } from "./budget";
import { refused, useChangeSettings, useSettings } from "./changes";
import { ChangeNote } from "./parts/ChangeNote";
import { Section, Switch } from "./parts/parts";
import { Told } from "./parts/Told";

/** What a run and a day may spend. */
export function Budgets({ project }: { project: string }) {
  const { t } = useTranslation();
  const query = useSettings(project);
  return (
    <Section title={t("settings.tab.budget")} about={t("settings.budget.about")}>
      <Asked query={query}>{(rows) => <Form rows={rows} project={project} />}</Asked>
    </Section>
  );
}

function Form({ rows, project }: { rows: readonly SettingRow[]; project: string }) {
  const { t } = useTranslation();
  const before = budgetOf(rows);
  const [typed, type] = useState<Partial<Budget>>({});
  const [told, tell] = useState<SettingChange>();
  const change = useChangeSettings(project);
  const budget = { ...before, ...typed };
  const wanted = steps(before, budget);
  const why = refused(change.error);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = (changes: readonly SettingChange[]) => {
      tell(changes.at(-1));
      type({});
    };
    change.mutate(wanted, { onSuccess: done });
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      {limits.map((limit) => {
        const isWrong = why?.key === `budget.${limit}`;
        return (
          <div key={limit}>
            <TextField
              label={t(`settings.budget.${limit}`)}
              placeholder={limit === "currency" ? "CNY" : t("settings.budget.none")}
              inputMode={limit === "currency" ? "text" : "decimal"}
              value={budget[limit]}
              aria-invalid={isWrong}
              onChange={(event) => type({ ...typed, [limit]: event.target.value })}
            />
            {isWrong && (
              <p role="alert" className={styles.refusal}>
                {why.message}
              </p>
            )}
          </div>
        );
      })}
      <div>
        <Switch
          label={t("settings.budget.free_models")}
          isOn={countsFreeModels(rows)}
          isDisabled={change.isPending}
          onChange={(isOn) =>
            change.mutate([{ key: "budget.free_models", value: isOn }], {
              onSuccess: (changes) => tell(changes.at(-1)),
            })
          }
        />{" "}
        {t("settings.budget.free_models")}
      </div>
      <Button kind="main" type="submit" disabled={change.isPending || wanted.length === 0}>
        {t("common.save")}
      </Button>
      {!limits.some((limit) => why?.key === `budget.${limit}`) && <Told error={change.error} />}
      <ChangeNote change={told} />
    </form>
  );
}
