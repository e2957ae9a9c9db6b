import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { save } from "../content/files";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import styles from "./About.module.css";
import { Section } from "./parts/parts";
import { Told } from "./parts/Told";

/** What a bug report needs, shown before it is saved. */
export function Diagnostics() {
  const { t } = useTranslation();
  const make = useMutation({
    mutationFn: async () => JSON.stringify(await answer(http.GET("/api/v1/diagnostics")), null, 2),
  });
  const text = make.data;
  return (
    <Section title={t("settings.about_page.report")} about={t("settings.about_page.report_about")}>
      <Told error={make.error} />
      {text === undefined ? (
        <Button disabled={make.isPending} onClick={() => make.mutate()}>
          {t("settings.about_page.report_show")}
        </Button>
      ) : (
        <>
          <pre className={styles.report}>{text}</pre>
          <Button
            kind="main"
            onClick={() =>
              save(new Blob([`${text}\n`], { type: "application/json" }), "qingyu-diagnostics.json")
            }
          >
            {t("settings.about_page.report_save")}
          </Button>
          <Dim>{t("settings.about_page.report_read")}</Dim>
        </>
      )}
    </Section>
  );
}
