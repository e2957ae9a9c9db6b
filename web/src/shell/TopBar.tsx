import { Settings } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useOpenRuns, useProject } from "../api/queries";
import { ColumnButton, FocusButton, LanguageButton, PaletteButton, ThemeButton } from "./BarButtons";
import { Groups } from "./Groups";
import { MenuSheet } from "./MenuSheet";
import { at } from "./places";
import styles from "./TopBar.module.css";

/** The bar over everything: where one is, where one can go, what waits. */
export function TopBar({ project }: { project: string | undefined }) {
  return project === undefined ? (
    <Bar project={undefined} isContent={false} title="" />
  ) : (
    <ProjectBar project={project} />
  );
}

function ProjectBar({ project }: { project: string }) {
  const { data } = useProject(project);
  return (
    <Bar project={project} isContent={Boolean(data?.story.production)} title={data?.project.title ?? ""} />
  );
}

type Props = { project: string | undefined; isContent: boolean; title: string };

function Bar({ project, isContent, title }: Props) {
  const { t } = useTranslation();
  return (
    <header className={styles.bar}>
      <Link href={at.shelf} className={styles.name}>
        {t("shell.name")}
      </Link>
      {project !== undefined && (
        <>
          <Link href={at.project(project)} className={styles.title}>
            {title || t("shell.nav.overview")}
          </Link>
          <Groups project={project} isContent={isContent} />
        </>
      )}
      <div className={styles.right}>
        <Runs />
        <div className={styles.acts}>
          {project !== undefined && (
            <>
              <ColumnButton side="left" />
              <ColumnButton side="right" />
              <FocusButton />
            </>
          )}
          <PaletteButton />
          <ThemeButton />
          <LanguageButton />
          <Link href={at.settings} className={styles.gear} aria-label={t("shell.nav.settings")}>
            <Settings size={16} aria-hidden />
          </Link>
        </div>
        <MenuSheet project={project} isContent={isContent} />
      </div>
    </header>
  );
}

function Runs() {
  const { t } = useTranslation();
  const { data: runs = [] } = useOpenRuns();
  const waiting = runs.filter((run) => run.status === "waiting").length;
  const working = runs.filter((run) => run.status === "running");
  const first = working[0];
  return (
    <>
      {waiting > 0 && (
        <Link href={at.inbox} className={styles.waiting}>
          {t("shell.waiting", { count: waiting })}
        </Link>
      )}
      {first && (
        <Link href={at.run(first.project, first.run)} className={styles.working}>
          {t("shell.working", { count: working.length })}
        </Link>
      )}
    </>
  );
}
