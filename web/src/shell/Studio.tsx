import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator } from "react-resizable-panels";
import { Problem } from "../api/problem";
import { useOpenRuns } from "../api/queries";
import { Button } from "../parts/Button";
import { AgentPane } from "../runs/AgentPane";
import { KeyDoor } from "./KeyDoor";
import { Palette } from "./Palette";
import { ProjectTree } from "./ProjectTree";
import styles from "./Studio.module.css";
import { useShortcut } from "./shortcuts";
import { useShell } from "./state";
import { TopBar } from "./TopBar";

type Seen = "left" | "middle" | "right";

/** The frame: the bar, and within a project the tree, the page and the agents side by side. */
export function Studio({ project, children }: { project: string | undefined; children: ReactNode }) {
  const { t } = useTranslation();
  const { isFocused, focus, openPalette } = useShell();
  const [seen, see] = useState<Seen>("middle");
  const { error } = useOpenRuns();
  useShortcut(
    ".",
    useCallback(() => focus(!useShell.getState().isFocused), [focus]),
  );
  useShortcut(
    "k",
    useCallback(() => openPalette(true), [openPalette]),
  );
  if (error instanceof Problem && error.status === 401) return <KeyDoor />;
  const isLost = error instanceof Problem && error.status === 0;
  const isInProject = project !== undefined;
  const isWhole = isInProject && !isFocused;
  return (
    <div className={styles.studio} data-seen={seen}>
      <a href="#page" className={styles.skip}>
        {t("shell.skip")}
      </a>
      <TopBar project={project} />
      {isLost && (
        <div className={styles.offline} role="alert">
          {t("shell.offline")}
        </div>
      )}
      <Group className={styles.columns} orientation="horizontal">
        {isWhole && (
          <>
            <Panel id="left" defaultSize="18%" minSize={180}>
              <nav className={styles.side} aria-label={t("shell.chapters")}>
                <ProjectTree project={project} />
              </nav>
            </Panel>
            <Separator className={styles.handle} />
          </>
        )}
        <Panel id="middle" minSize={360}>
          <main id="page" className={styles.middle} tabIndex={-1}>
            {children}
          </main>
        </Panel>
        {isWhole && (
          <>
            <Separator className={styles.handle} />
            <Panel id="right" defaultSize="26%" minSize={260}>
              <aside className={styles.side} aria-label={t("shell.agents")}>
                <AgentPane project={project} />
              </aside>
            </Panel>
          </>
        )}
      </Group>
      {isInProject && (
        <div className={styles.tabs}>
          <Button kind="plain" aria-pressed={seen === "left"} onClick={() => see("left")}>
            {t("shell.chapters")}
          </Button>
          <Button kind="plain" aria-pressed={seen === "middle"} onClick={() => see("middle")}>
            {t("shell.nav.write")}
          </Button>
          <Button kind="plain" aria-pressed={seen === "right"} onClick={() => see("right")}>
            {t("shell.agents")}
          </Button>
        </div>
      )}
      <Palette project={project} />
    </div>
  );
}
