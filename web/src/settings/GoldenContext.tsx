import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useProject } from "../api/queries";
import type { Golden } from "../api/schema";
import { Prose } from "../content/Prose";
import { useProduction } from "../content/production";
import { Asked } from "../parts/states";
import { at } from "../shell/places";
import styles from "./Branches.module.css";
import { Section } from "./parts/parts";

const parts = ["creator_profile", "intent", "consumer_personas"] as const satisfies Golden[];

/** What every model is told of a production. */
export function GoldenContext({ project }: { project: string }) {
  const { t } = useTranslation();
  const { data: whole } = useProject(project);
  return (
    <Asked query={useProduction(project)}>
      {({ golden_context: told }) => (
        <Section title={t("settings.tab.golden")} about={t("settings.golden.about")}>
          {parts.map((part) => {
            const field = whole?.story.fields.find((each) => each.golden === part);
            return (
              <article key={part} className={styles.card}>
                <header>
                  <h3>{t(`settings.golden.${part}`)}</h3>
                  {field && <Link href={at.field(project, field.path)}>{t("settings.golden.change")}</Link>}
                </header>
                {told[part] ? <Prose text={told[part]} /> : <p>{t("common.none")}</p>}
              </article>
            );
          })}
        </Section>
      )}
    </Asked>
  );
}
