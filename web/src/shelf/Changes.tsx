import { useMutation, useQuery } from "@tanstack/react-query";
import { GitBranch, History, RotateCcw, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { changed, keys } from "../api/queries";
import type { ChangeRow } from "../api/schema";
import { useAgentName } from "../parts/agents";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Asked, Empty, Failed } from "../parts/states";
import { Comparison } from "../runs/page/Comparison";
import { Fork } from "../runs/page/Fork";
import { gathered } from "../runs/page/gathered";
import { useKindWords } from "../story/parts";
import styles from "./Changes.module.css";
import { type Group, groupsOf, stepsBack } from "./changeLog";
import overview from "./Overview.module.css";

const SHOWN = 6;
const MORE = 20;

/** What was done to a book, newest first: each thing can be looked at, taken back, gone back to and branched from. */
export function Changes({ project }: { project: string }) {
  const { t } = useTranslation();
  const [shown, show] = useState(SHOWN);
  const query = useQuery({
    queryKey: [...keys.project(project), "changes"],
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/changes", { params: { path: { project } } })),
  });
  return (
    <section aria-labelledby="changes" className={styles.section}>
      <h2 id="changes" className={overview.section}>
        {t("shelf.last_changes")}
      </h2>
      <Asked query={query}>
        {(log) => {
          const groups = groupsOf(log);
          if (groups.length === 0) return <Empty title={t("shelf.changes.none")} />;
          return (
            <>
              <ol className={styles.changes}>
                {groups.slice(0, shown).map((group, index) => (
                  <li key={group.first.change} data-gone={group.isTakenBack}>
                    <Row project={project} group={group} log={log} isNow={index === 0} />
                  </li>
                ))}
              </ol>
              {groups.length > shown && (
                <div>
                  <Button onClick={() => show(shown + MORE)}>
                    {t("shelf.changes.earlier", { count: groups.length - shown })}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Asked>
    </section>
  );
}

type Open = "compare" | "fork" | "undo" | "back";
type RowProps = { project: string; group: Group; log: readonly ChangeRow[]; isNow: boolean };

function Row({ project, group, log, isNow }: RowProps) {
  const { t } = useTranslation();
  const { ago, when } = useDates();
  const agentName = useAgentName();
  const names = useNamesOf();
  const [isOpen, open] = useState(false);
  const { first, last, changes, isTakenBack } = group;
  return (
    <>
      <button type="button" className={styles.row} aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        <Tag>{agentName(last.agent)}</Tag>
        <span className={styles.what}>
          {last.undoes != null && `${t("shelf.changes.taking_back")} `}
          {names(group) || t("shelf.changes.nothing")}
        </span>
        {changes.length > 1 && (
          <Dim>
            {t(last.undoes == null ? "shelf.changes.saves" : "shelf.changes.steps", {
              count: changes.length,
            })}
          </Dim>
        )}
        {isTakenBack && <Dim>{t("shelf.undone")}</Dim>}
        <Dim>
          <time dateTime={last.at} title={when(last.at)}>
            {ago(last.at)}
          </time>
        </Dim>
      </button>
      {isOpen && (
        <Acts
          key={last.change}
          project={project}
          group={group}
          log={log}
          isNow={isNow}
          from={first.change - 1}
        />
      )}
    </>
  );
}

function Acts({ project, group, log, isNow, from }: RowProps & { from: number }) {
  const { t } = useTranslation();
  const [open, show] = useState<Open>("compare");
  const version = group.last.change;
  const acts = [
    { name: "compare", Mark: History, words: t("runs.page.compare"), isOffered: true },
    { name: "undo", Mark: Undo2, words: t("shelf.undo_change"), isOffered: !group.isTakenBack },
    { name: "back", Mark: RotateCcw, words: t("shelf.changes.back"), isOffered: !isNow },
    { name: "fork", Mark: GitBranch, words: t("shelf.fork_here"), isOffered: true },
  ] as const;
  return (
    <div className={styles.acts}>
      <div className={styles.choices}>
        {acts
          .filter(({ isOffered }) => isOffered)
          .map(({ name, Mark, words }) => (
            <Button key={name} aria-pressed={open === name} onClick={() => show(name)}>
              <Mark size={14} aria-hidden />
              {words}
            </Button>
          ))}
      </div>
      {open === "compare" && <Comparison project={project} version={version} from={from} change={group} />}
      {open === "fork" && <Fork project={project} version={version} />}
      {open === "undo" && (
        <TakeBack
          project={project}
          steps={group.changes.map(({ change }) => change).reverse()}
          question={t("shelf.changes.undo_question", { count: group.changes.length })}
          words={t("shelf.undo_change")}
          onCancel={() => show("compare")}
        />
      )}
      {open === "back" && (
        <TakeBack
          project={project}
          steps={stepsBack(log, version)}
          question={t("shelf.changes.back_question", { count: stepsBack(log, version).length })}
          words={t("shelf.changes.back")}
          onCancel={() => show("compare")}
        />
      )}
    </div>
  );
}

type TakeBackProps = {
  project: string;
  /** The changes that are taken back, in this order. */
  steps: readonly number[];
  question: string;
  words: string;
  onCancel(): void;
};

/** Takes changes back one after the other; it stops at the first that cannot be, and nothing is lost by it. */
function TakeBack({ project, steps, question, words, onCancel }: TakeBackProps) {
  const { t } = useTranslation();
  const [done, tell] = useState(0);
  const undo = useMutation({
    mutationFn: async () => {
      for (const [index, change] of steps.entries()) {
        const params = { path: { project } };
        await answer(http.POST("/api/v1/projects/{project}/changes/undo", { params, body: { change } }));
        tell(index + 1);
      }
    },
    onSettled: () => changed(project),
  });
  return (
    <div className={styles.sure}>
      <p>{steps.length === 0 ? t("shelf.changes.same") : question}</p>
      <div className={styles.choices}>
        <Button
          kind="danger"
          onClick={() => undo.mutate()}
          disabled={undo.isPending || undo.isSuccess || steps.length === 0}
        >
          {words}
        </Button>
        <Button onClick={onCancel} disabled={undo.isPending}>
          {t("common.cancel")}
        </Button>
        <span role="status">
          {(undo.isPending || undo.isSuccess) && t("shelf.changes.done", { done, of: steps.length })}
        </span>
      </div>
      {undo.error && <Failed error={undo.error} />}
    </div>
  );
}

/** A comment is told by its kind: the words it is on are no name. */
function unnamed(piece: Group["put"][number]): Group["put"][number] {
  return piece.kind === "comment" ? { ...piece, name: "" } : piece;
}

/** The pieces of a change, as far as they fit a line: texts first, and what has no name by its number. */
function useNamesOf(): (change: Pick<Group, "put" | "removed">) => string {
  const kindOf = useKindWords();
  const MOST = 5;
  return ({ put, removed }) => {
    const { named, counted } = gathered(put.map(unnamed));
    const gone = gathered(removed.map(unnamed));
    const names = [
      ...named,
      ...gone.named.map((name) => `− ${name}`),
      ...counted.map(([kind, count]) => `${kindOf(kind)} ${count}`),
      ...gone.counted.map(([kind, count]) => `− ${kindOf(kind)} ${count}`),
    ];
    const rest = names.length - MOST;
    return names.slice(0, MOST).join(" · ") + (rest > 0 ? ` +${rest}` : "");
  };
}
