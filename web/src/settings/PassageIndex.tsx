import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import { Button } from "../parts/Button";
import { useNumbers } from "../parts/numbers";
import { Asked } from "../parts/states";
import { Bars, ConfirmButton, Section } from "./parts/parts";
import styles from "./parts/parts.module.css";
import { Told } from "./parts/Told";

/** What the search by meaning goes by. */
export function PassageIndex({ project }: { project: string }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const key = [...keys.project(project), "index"];
  const path = { params: { path: { project } } };
  const query = useQuery({
    queryKey: key,
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/index", path)),
  });
  const make = useMutation({
    mutationFn: (rebuild: boolean) =>
      answer(http.POST("/api/v1/projects/{project}/index", { ...path, body: { rebuild } })),
    onSuccess: (made) => queries.setQueryData(key, made),
  });
  return (
    <Section title={t("settings.tab.index")} about={t("settings.index.about")}>
      <Asked query={query}>
        {({ embedder, having, passages }) => (
          <>
            <Bars
              most={Math.max(1, passages)}
              bars={[
                {
                  name: t("settings.index.passages"),
                  amount: having,
                  told: `${whole(having)} / ${whole(passages)}`,
                },
              ]}
            />
            <p className={styles.about}>
              {t("settings.index.embedder")} <code>{embedder}</code>
            </p>
            <div className={styles.asking}>
              {having < passages && (
                <Button kind="main" disabled={make.isPending} onClick={() => make.mutate(false)}>
                  {t("settings.index.complete")}
                </Button>
              )}
              <ConfirmButton
                label={t("settings.index.rebuild")}
                question={t("settings.index.sure")}
                isBusy={make.isPending}
                onConfirm={() => make.mutate(true)}
              />
            </div>
            <p role="status">
              {make.isPending ? t("settings.index.working") : make.data && t("settings.index.done")}
            </p>
          </>
        )}
      </Asked>
      <Told error={make.error} />
    </Section>
  );
}
