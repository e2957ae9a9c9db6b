import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useChapters, useProject } from "../api/queries";
import type { ProjectView } from "../api/story";
import { firstUnwritten } from "../chapters/list";
import { Button } from "../parts/Button";
import { Empty, Failed } from "../parts/states";
import styles from "./AgentPane.module.css";
import { Announcer } from "./Announcer";
import { Check } from "./Check";
import { Composer } from "./Composer";
import { Conversation } from "./Conversation";
import { Feed } from "./Feed";
import { useBegin, useChosen, useFollowed } from "./follow";
import { FailureNote, RunHead } from "./RunHead";
import { useAsk, useSay } from "./say";
import { untouched } from "./state";
import { withStops } from "./stops";
import { Tabs } from "./Tabs";
import { useTalk } from "./talk";
import { useWatched } from "./watch";
import type { Place } from "./where";

const DecisionCard = lazy(() => import("./decide/DecisionCard"));

type Shown = "talk" | "feed" | "check";

/** The agents' column of a project: its run as it goes, what it asks, and where the author speaks to it. */
export function AgentPane({ project }: { project: string }) {
  const { t } = useTranslation();
  const [shown, show] = useState<Shown>("talk");
  const { data: view } = useProject(project);
  const { rows, row, run } = useFollowed(project);
  const watched = useWatched();
  const state = watched.run === run && run !== undefined ? watched.state : untouched;
  const { begin, say } = useSay(project, view?.story, row);
  const ask = useAsk(project);
  const hasAsked = useTalk((talk) => (talk.asked[project]?.length ?? 0) > 0);
  const issues = state.reviews.at(-1)?.report.issues?.length ?? 0;
  const isWaiting = state.status === "waiting" && state.question !== undefined;
  const isAskedOnPage = useChosen((chosen) => chosen.page === run);
  const speak = (words: string, place?: Place) => {
    show("talk");
    say(words, place);
  };
  const tabs = [
    { name: "talk", title: t("runs.tab.talk") },
    { name: "feed", title: t("runs.tab.feed") },
    { name: "check", title: t("runs.tab.check"), count: issues },
  ] as const;
  return (
    <div className={styles.pane}>
      {row && <RunHead project={project} rows={rows} row={row} state={state} />}
      <Tabs<Shown> label={t("shell.agents")} tabs={tabs} shown={shown} onShow={show}>
        <Scroll key={shown} keepsToEnd={shown !== "check"}>
          <FailureNote project={project} state={state} />
          {shown === "talk" && (rows.length > 0 || hasAsked) && (
            <Conversation project={project} rows={rows} run={run} state={state} />
          )}
          {shown === "talk" && state.status !== "running" && !isWaiting && (
            <Suggestions
              project={project}
              view={view}
              onSay={speak}
              isFirst={rows.length === 0 && !hasAsked}
            />
          )}
          {shown === "feed" && <Feed project={project} state={state} />}
          {shown === "check" && <Check project={project} state={state} />}
        </Scroll>
      </Tabs>
      {begin.error && <Failed error={begin.error} />}
      {isWaiting && !isAskedOnPage && run !== undefined && state.question && (
        <Suspense>
          <DecisionCard
            key={`${run}/${state.seq}`}
            project={project}
            run={run}
            question={state.question}
            questionId={state.questionId}
          />
        </Suspense>
      )}
      <Composer
        project={project}
        story={view?.story}
        isBusy={begin.isPending || row?.status === "running"}
        onSay={speak}
        onAsk={(question, series) => {
          show("talk");
          void ask(question, series);
        }}
      />
      <Announcer state={state} />
    </div>
  );
}

type ScrollProps = { keepsToEnd: boolean; children: React.ReactNode };

/** Keeps to the end while one is there, and stays where one reads. */
function Scroll({ keepsToEnd, children }: ScrollProps) {
  const frame = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(keepsToEnd);
  useEffect(() => {
    const [seen, whole] = [frame.current, content.current];
    if (!seen || !whole) return;
    const watcher = new ResizeObserver(() => {
      if (isAtEnd.current) seen.scrollTop = seen.scrollHeight;
    });
    watcher.observe(whole);
    watcher.observe(seen);
    return () => watcher.disconnect();
  }, []);
  return (
    <div
      ref={frame}
      className={styles.scroll}
      onScroll={({ currentTarget: seen }) => {
        isAtEnd.current = keepsToEnd && seen.scrollHeight - seen.scrollTop - seen.clientHeight < NEAR;
      }}
    >
      <div ref={content}>{children}</div>
    </div>
  );
}

/** So near the end one is at the end. */
const NEAR = 60;

type SuggestionsProps = {
  project: string;
  view: ProjectView | undefined;
  isFirst: boolean;
  onSay(words: string): void;
};

/** What one most likely wants next, each a press away. */
function Suggestions({ project, view, isFirst, onSay }: SuggestionsProps) {
  const { t } = useTranslation();
  const begin = useBegin(project);
  const { data: list } = useChapters(project, view !== undefined && view.story.production == null);
  if (!view) return null;
  const isContent = view.story.production != null;
  const last = view.runs[0];
  const next = firstUnwritten(list?.chapters ?? []);
  const tell = (order: "advance" | "make_stale") =>
    begin.mutate({ kind: "tell", project, ...withStops(last?.run, { order: { do: order } }) });
  const chips = isContent
    ? [
        {
          name: t("runs.talk.advance"),
          act: () => tell("advance"),
        },
        {
          name: t("runs.talk.stale"),
          act: () => tell("make_stale"),
        },
      ]
    : [
        ...(next
          ? [
              {
                name: t("runs.talk.next"),
                act: () =>
                  begin.mutate({ kind: "write", project, task: { kind: "draft", chapters: [next] } }),
              },
            ]
          : []),
        { name: t("runs.talk.check"), act: () => onSay(t("runs.talk.check_task")) },
      ];
  const isStopped = last?.status === "failed" || last?.status === "interrupted";
  return (
    <div className={styles.suggestions}>
      {isFirst && (
        <Empty title={t("runs.talk.empty")}>
          <p>{t("runs.talk.empty_about")}</p>
        </Empty>
      )}
      <div className={styles.chips}>
        {isStopped && last && (
          <Button
            onClick={() => begin.mutate({ kind: "resume", run: last.run, ...withStops(last.run, {}) })}
            disabled={begin.isPending}
          >
            {t("runs.talk.go_on")}
          </Button>
        )}
        {chips.map(({ name, act }) => (
          <Button key={name} onClick={act} disabled={begin.isPending}>
            {name}
          </Button>
        ))}
      </div>
      {begin.error && <Failed error={begin.error} />}
    </div>
  );
}
