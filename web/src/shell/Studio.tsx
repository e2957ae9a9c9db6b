import { type ReactNode, useCallback, useEffect, useRef, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { Group, Panel, Separator } from "react-resizable-panels";
import { useLocation } from "wouter";
import { isKeyNeeded } from "../api/client";
import { Problem } from "../api/problem";
import { useOpenRuns } from "../api/queries";
import { ChapterNotice } from "../chapters/ChapterNotice";
import { useChapterState } from "../chapters/state";
import { Button } from "../parts/Button";
import { AgentPane } from "../runs/AgentPane";
import { useNotices } from "../runs/useNotices";
import { KeyDoor } from "./KeyDoor";
import { Palette } from "./Palette";
import { ProjectTree } from "./ProjectTree";
import { placeAt } from "./places";
import { useReconnect } from "./reconnect";
import styles from "./Studio.module.css";
import { useKeptScroll } from "./scroll";
import { useShortcut } from "./shortcuts";
import { useShell } from "./state";
import { TopBar } from "./TopBar";

const narrow = window.matchMedia("(max-width: 820px)");

/** The frame: the bar, and within a project the tree, the page and the agents side by side. */
export function Studio({ project, children }: { project: string | undefined; children: ReactNode }) {
  const { t } = useTranslation();
  const { isFocused, focus, openPalette, seen, see, folded } = useShell();
  const isNarrow = useNarrow();
  const { error } = useOpenRuns();
  useNotices();
  const isLost = useReconnect();
  // Only an open chapter has a way out of focus of its own; on other pages the bar is the way.
  const isBare = useChapterState((state) => state.open !== undefined) && isFocused;
  const [address] = useLocation();
  // A chapter or page that is chosen comes into sight.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is another address
  useEffect(() => see("middle"), [address]);
  useShortcut(
    ".",
    useCallback(() => focus(!useShell.getState().isFocused), [focus]),
  );
  useShortcut(
    "k",
    useCallback(() => openPalette(true), [openPalette]),
  );
  if (error instanceof Problem && error.status === 401 && isKeyNeeded()) return <KeyDoor />;
  const isInProject = project !== undefined;
  const isWhole = isInProject && !isFocused;
  const here = isInProject ? (placeAt(project, address) ?? "overview") : "shelf";
  return (
    <div className={styles.studio} data-seen={isWhole ? seen : "middle"}>
      <a href="#page" className={styles.skip}>
        {t("shell.skip")}
      </a>
      {!isBare && <TopBar project={project} />}
      {isLost && (
        <div className={styles.offline} role="alert">
          {t("shell.offline")}
        </div>
      )}
      <Group className={styles.columns} orientation="horizontal">
        {isWhole && (isNarrow || !folded.left) && (
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
          <Middle address={address}>{children}</Middle>
        </Panel>
        {isWhole && (isNarrow || !folded.right) && (
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
      {isWhole && (
        <div className={styles.tabs}>
          <Button kind="plain" aria-pressed={seen === "left"} onClick={() => see("left")}>
            {t("shell.chapters")}
          </Button>
          <Button kind="plain" aria-pressed={seen === "middle"} onClick={() => see("middle")}>
            {t(`shell.nav.${here}`)}
          </Button>
          <Button kind="plain" aria-pressed={seen === "right"} onClick={() => see("right")}>
            {t("shell.agents")}
          </Button>
        </div>
      )}
      {isInProject && <ChapterNotice project={project} />}
      <Palette project={project} />
    </div>
  );
}

/** Whether the screen shows one column at a time. */
function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrow.addEventListener("change", changed);
      return () => narrow.removeEventListener("change", changed);
    },
    () => narrow.matches,
  );
}

/** The page, at the scroll position where it was left. */
function Middle({ address, children }: { address: string; children: ReactNode }) {
  const frame = useRef<HTMLElement>(null);
  useKeptScroll(frame, address);
  return (
    <main ref={frame} id="page" className={styles.middle} tabIndex={-1}>
      {children}
    </main>
  );
}
