import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { GitBranch, History, MessageSquareText, Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../../api/client";
import { keys, queries } from "../../api/queries";
import type { CheckpointRow } from "../../api/schema";
import { ValueTree } from "../../content/ValueTree";
import { Button } from "../../parts/Button";
import { useDates } from "../../parts/dates";
import { Asked, Failed } from "../../parts/states";
import { at } from "../../shell/places";
import { useNames } from "../names";
import { CheckpointEdit, useCheckpointState } from "./CheckpointEdit";
import { CheckpointPrompts } from "./CheckpointPrompts";
import styles from "./SavedVersions.module.css";
import { Section } from "./Section";

type Props = {
  project: string;
  run: string;
  /** Grows with every event of the run. */
  seq: number;
};

/** How many checkpoints are asked for at a time. */
const PAGE = 30;

/**
 * The steps of a run, newest first: the state after each of them and its edit, what models were asked, and a new run that
 * continues from there.
 */
export function Checkpoints({ project, run, seq }: Props) {
  const { t } = useTranslation();
  const [isOpen, open] = useState(false);
  const query = useInfiniteQuery({
    queryKey: [...keys.runs, "checkpoints", run, seq],
    enabled: isOpen,
    initialPageParam: undefined as number | undefined,
    queryFn: ({ pageParam: before }) =>
      answer(
        http.GET("/api/v1/runs/{run}/checkpoints", {
          params: { path: { run }, query: { before, limit: PAGE } },
        }),
      ),
    getNextPageParam: (page) => (page.length === PAGE ? page.at(-1)?.checkpoint : undefined),
  });
  return (
    <Section title={t("runs.page.travel")} about={t("runs.page.travel_about")}>
      {!isOpen && <Button onClick={() => open(true)}>{t("runs.page.travel_show")}</Button>}
      {isOpen && (
        <Asked query={query}>
          {({ pages }) => (
            <ol className={styles.versions}>
              {pages.flat().map((row) => (
                <li key={row.checkpoint}>
                  <Checkpoint project={project} run={run} row={row} />
                </li>
              ))}
            </ol>
          )}
        </Asked>
      )}
      {query.hasNextPage && (
        <Button onClick={() => void query.fetchNextPage()} disabled={query.isFetchingNextPage}>
          {t("runs.page.travel_more")}
        </Button>
      )}
    </Section>
  );
}

type Shown = "state" | "edit" | "prompts" | "fork";
type CheckpointProps = { project: string; run: string; row: CheckpointRow };

function Checkpoint({ project, run, row }: CheckpointProps) {
  const { t } = useTranslation();
  const { agent } = useNames();
  const { when } = useDates();
  const [shown, show] = useState<Shown>();
  const turn = (one: Shown) => show(shown === one ? undefined : one);
  // Tasks of one node have its name and a number.
  const nodes = [...new Set(row.ran.map((task) => task.split("#")[0] ?? task))];
  const { parent } = row;
  const named = (nodes: readonly string[]) => nodes.map(agent).join(" · ");
  const title = row.ran.length > 0 ? named(row.ran) : t(`runs.page.travel_source.${row.source}`);
  const next =
    row.next.length > 0 ? t("runs.page.travel_next", { nodes: named(row.next) }) : t("runs.page.travel_end");
  return (
    <article className={styles.version}>
      <header>
        <strong>{title}</strong>
        <span className={styles.who}>{row.at ? `${next} · ${when(row.at)}` : next}</span>
        <Button aria-expanded={shown === "state"} onClick={() => turn("state")}>
          <History size={14} aria-hidden />
          {t("runs.page.travel_state")}
        </Button>
        {typeof parent === "number" && nodes.length > 0 && (
          <Button aria-expanded={shown === "prompts"} onClick={() => turn("prompts")}>
            <MessageSquareText size={14} aria-hidden />
            {t("runs.page.travel_prompts")}
          </Button>
        )}
        <Button aria-expanded={shown === "edit"} onClick={() => turn("edit")}>
          <Pencil size={14} aria-hidden />
          {t("runs.page.travel_edit")}
        </Button>
        <Button aria-expanded={shown === "fork"} onClick={() => turn("fork")}>
          <GitBranch size={14} aria-hidden />
          {t("runs.page.travel_fork")}
        </Button>
      </header>
      {shown === "state" && <State run={run} row={row} />}
      {shown === "prompts" && typeof parent === "number" && (
        <CheckpointPrompts run={run} parent={parent} nodes={nodes} />
      )}
      {shown === "edit" && <CheckpointEdit project={project} run={run} checkpoint={row.checkpoint} />}
      {shown === "fork" && <ForkRun project={project} run={run} checkpoint={row.checkpoint} />}
    </article>
  );
}

/** The fields that a step wrote, or the whole state after it. */
function State({ run, row }: Omit<CheckpointProps, "project">) {
  const { t } = useTranslation();
  const [isWhole, turn] = useState(row.written.length === 0);
  const query = useCheckpointState(run, row.checkpoint);
  return (
    <div className={styles.comparison}>
      <Button kind="plain" aria-pressed={isWhole} onClick={() => turn(!isWhole)}>
        {t(isWhole ? "runs.page.travel_written" : "runs.page.travel_whole")}
      </Button>
      <Asked query={query}>
        {({ values }) => (
          <ValueTree
            value={Object.fromEntries(
              Object.entries(values).filter(([name]) => isWhole || row.written.includes(name)),
            )}
          />
        )}
      </Asked>
    </div>
  );
}

type ForkProps = { project: string; run: string; checkpoint: number };

/** A new run that continues from there; the author is taken to it, and starts it. */
function ForkRun({ project, run, checkpoint }: ForkProps) {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [afresh, turn] = useState(false);
  const fork = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/runs/{run}/checkpoints/{checkpoint}/fork", {
          params: { path: { run, checkpoint } },
          body: { afresh },
        }),
      ),
    onSuccess: (forked) => {
      void queries.invalidateQueries({ queryKey: keys.runs });
      go(at.run(project, forked.run));
    },
  });
  return (
    <div className={styles.form}>
      <label>
        <input type="checkbox" checked={afresh} onChange={({ target }) => turn(target.checked)} />{" "}
        {t("runs.page.travel_afresh")}
      </label>
      <Button kind="main" onClick={() => fork.mutate()} disabled={fork.isPending}>
        {t("runs.page.travel_go")}
      </Button>
      {fork.error && <Failed error={fork.error} />}
    </div>
  );
}
