import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { ask } from "../content/files";
import { Dim } from "../parts/Card";
import styles from "./About.module.css";
import { Diagnostics } from "./Diagnostics";
import { Section } from "./parts/parts";

type Version = { name: string; version: string; api: string };

/** What runs here. */
export function About() {
  const { t } = useTranslation();
  const { data: version } = useQuery({ queryKey: ["version"], queryFn: getVersion, retry: false });
  const { data: settings = [] } = useQuery({
    queryKey: ["settings"],
    queryFn: () => answer(http.GET("/api/v1/settings", { params: { query: { project: null } } })),
  });
  const folder = settings.find(({ key }) => key === "home" || key === "storage.home")?.value;
  const told: [string, string | undefined][] = [
    [t("settings.about_page.version"), version?.version],
    [t("settings.about_page.api"), version?.api],
    [t("settings.about_page.folder"), typeof folder === "string" ? folder : undefined],
    [t("settings.about_page.server"), location.host],
  ];
  return (
    <>
      <Section title={t("shell.name")} about={t("settings.about_page.about")}>
        <dl className={styles.facts}>
          {told
            .filter(([, value]) => value !== undefined)
            .map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        <Dim>{t("settings.about_page.licence")}</Dim>
      </Section>
      <Diagnostics />
    </>
  );
}

async function getVersion(): Promise<Version> {
  const told: unknown = await (await ask("/version")).json();
  const { name, version, api } = (told ?? {}) as Partial<Record<keyof Version, unknown>>;
  return { name: String(name ?? ""), version: String(version ?? ""), api: String(api ?? "") };
}
