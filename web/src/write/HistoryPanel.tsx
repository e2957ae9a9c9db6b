import { useMutation, useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { changed, keys } from "../api/queries";
import type { TextDifference, VersionRow } from "../api/schema";
import { useAgentName } from "../parts/agents";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Asked, Failed } from "../parts/states";
import { Comparison } from "./Comparison";
import { hunks } from "./compare";
import styles from "./HistoryPanel.module.css";
import { Panel } from "./Panel";
import { suggest } from "./suggestions";
import { textOf } from "./text";
import { type Editing, hasAgents } from "./useEditing";
import { sittings } from "./versions";
import { loadText } from "./wire";

type Props = { project: string; document: string; language: string; editing: Editing; onClose(): void };

/** Every version of the chapter, how it differs from now, and the way back to it. */
export function HistoryPanel({ project, document, language, editing, onClose }: Props) {
  const { t } = useTranslation();
  const [chosen, choose] = useState<string>();
  const [isEvery, setEvery] = useState(false);
  const { keeper, saved } = editing;
  // The list is to hold what is written now.
  useEffect(() => void keeper.flush(), [keeper]);
  const query = useComparison(project, document, undefined, saved?.answer.version);
  return (
    <Panel title={t("write.history.title")} about={t("write.history.about")} onClose={onClose}>
      <Asked query={query}>
        {({ versions }) => (
          <>
            <label className={styles.every}>
              <input type="checkbox" checked={isEvery} onChange={(event) => setEvery(event.target.checked)} />
              {t("write.history.every", { count: versions.length })}
            </label>
            <ol className={styles.versions} aria-label={t("write.history.label")}>
              {(isEvery ? [...versions].reverse() : sittings(versions)).map((row, index) => (
                <Version
                  key={keyOf(row)}
                  row={row}
                  isNow={index === 0}
                  isChosen={keyOf(row) === chosen}
                  onChoose={() => choose(keyOf(row) === chosen ? undefined : keyOf(row))}
                >
                  <Changes {...{ project, document, language, editing, onClose }} version={row.version} />
                </Version>
              ))}
            </ol>
          </>
        )}
      </Asked>
    </Panel>
  );
}

/** A version that came back by a change being taken back has the number that it had. */
function keyOf({ change, version }: VersionRow): string {
  return `${change ?? ""}/${version}`;
}

type VersionProps = {
  row: VersionRow;
  isNow: boolean;
  isChosen: boolean;
  onChoose(): void;
  children: ReactNode;
};

function Version({ row, isNow, isChosen, onChoose, children }: VersionProps) {
  const { t } = useTranslation();
  const { ago, when } = useDates();
  const agentName = useAgentName();
  const who = row.agent === "person" ? t("write.history.by_person") : agentName(row.agent);
  const told = (
    <>
      <strong>{isNow ? t("write.history.now") : t("write.history.version", { version: row.version })}</strong>
      <span>{who}</span>
      <Dim>
        {row.at && <time title={when(row.at)}>{ago(row.at)}</time>} ·{" "}
        {t("common.characters", { count: row.length })}
      </Dim>
    </>
  );
  if (isNow) return <li className={styles.row}>{told}</li>;
  return (
    <li>
      <button type="button" className={styles.row} aria-expanded={isChosen} onClick={onChoose}>
        {told}
      </button>
      {isChosen && children}
    </li>
  );
}

type ChangesProps = Props & { version: number };

function Changes({ project, document, language, version, editing, onClose }: ChangesProps) {
  const { t } = useTranslation();
  const { keeper, saved, queue, editor } = editing;
  const query = useComparison(project, document, version, saved?.answer.version);
  const restore = useMutation({
    mutationFn: async () => {
      await keeper.flush();
      await answer(
        http.POST("/api/v1/projects/{project}/documents/{document}/restore", {
          params: { path: { project, document } },
          body: { version },
        }),
      );
      return loadText(project, document);
    },
    onSuccess: (held) => {
      keeper.replace(held);
      changed(project);
    },
  });
  const suggestPast = useMutation({
    mutationFn: () => textOfVersion(project, document, version),
    // What differs is marked in the text, which this panel may stand over.
    onSuccess: (past) => {
      queue.push((state) => suggest(state, hunks(textOf(state.doc), past, language), "past"));
      onClose();
    },
  });
  const isShut = keeper.now().is === "conflict" || hasAgents(editor);
  const error = restore.error ?? suggestPast.error;
  return (
    <div className={styles.changes}>
      <div className={styles.acts}>
        <Button
          onClick={() => restore.mutate()}
          disabled={restore.isPending || keeper.now().is === "conflict"}
        >
          {t("write.history.restore")}
        </Button>
        <Button onClick={() => suggestPast.mutate()} disabled={suggestPast.isPending || isShut}>
          {t("write.history.each")}
        </Button>
      </div>
      <span role="status">{restore.isSuccess && t("write.history.restored", { version })}</span>
      {error && <Failed error={error} />}
      <Asked query={query}>
        {({ texts }) =>
          texts[0] && texts[0].hunks.length > 0 ? (
            <Difference text={texts[0]} />
          ) : (
            <Dim>{t("write.history.same")}</Dim>
          )
        }
      </Asked>
    </div>
  );
}

/** The text as it stood in a version. */
async function textOfVersion(project: string, document: string, version: number): Promise<string> {
  const { data } = await answer(
    http.GET("/api/v1/projects/{project}/documents/{document}/versions", {
      params: { path: { project, document } },
    }),
  );
  const found = data.items.find((one) => one.version === version);
  if (!found) throw new Error(`version ${version} is not kept`);
  return found.text;
}

function Difference({ text }: { text: TextDifference }) {
  const { t } = useTranslation();
  return (
    <>
      <Dim>
        {t("write.history.removed", { count: text.removed })} ·{" "}
        {t("write.history.added", { count: text.added })}
      </Dim>
      <Comparison label={t("write.history.changes")} places={text.hunks.map(({ spans }) => spans)} />
    </>
  );
}

/** What the server tells of a document's versions; asked again when another is saved. */
function useComparison(
  project: string,
  document: string,
  from: number | undefined,
  newest: number | undefined,
) {
  return useQuery({
    queryKey: [...keys.chapter(project, document), "comparison", from ?? null, newest ?? null],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/comparison", {
          params: { path: { project }, query: { document, ...(from === undefined ? {} : { from }) } },
        }),
      ),
    placeholderData: (before) => before,
  });
}
