import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { changed, keys, useProject } from "../api/queries";
import type { ProjectView } from "../api/story";
import { useAgentName } from "../parts/agents";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { useNumbers } from "../parts/numbers";
import { Page } from "../parts/Page";
import { Asked, Failed } from "../parts/states";
import { at } from "../shell/places";
import { useStart } from "./actions";
import styles from "./Overview.module.css";

const SHOWN = 6;

/** A book at a glance: how far it is, what ran, what changed. */
export default function Overview({ project }: { project: string; rest: string | undefined }) {
  return <Asked query={useProject(project)}>{(view) => <Found view={view} />}</Asked>;
}

function Found({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const start = useStart();
  const next = useNextChapter(view);
  return (
    <Page
      title={view.project.title}
      about={view.project.premise}
      actions={
        next !== undefined && (
          <Button
            kind="main"
            disabled={start.isPending}
            onClick={() =>
              start.mutate({ kind: "write", project, task: { kind: "draft", chapters: [next] } })
            }
          >
            {t("shelf.write_next")}
          </Button>
        )
      }
    >
      {start.error && <Failed error={start.error} />}
      <Figures view={view} />
      <Runs view={view} />
      <Changes project={project} />
    </Page>
  );
}

/** The first chapter of the outline without prose, by its number. */
function useNextChapter(view: ProjectView): number | undefined {
  const planned = view.story.outline_nodes.filter((node) => node.kind === "chapter").length;
  const written = new Set(view.story.documents.map((document) => document.order));
  for (let number = 1; number <= planned; number++) if (!written.has(number)) return number;
  return undefined;
}

function Figures({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { whole, price } = useNumbers();
  const { project } = view.project;
  const { data: figures } = useQuery({
    queryKey: [...keys.project(project), "figures"],
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/figures", { params: { path: { project } } })),
  });
  const story = view.story;
  const planned = story.outline_nodes.filter((node) => node.kind === "chapter").length;
  const written = story.documents.length;
  const open = story.promises.filter((promise) => promise.paid.length === 0).length;
  const told: [string, string | undefined][] = [
    [t("shelf.chapters"), planned > 0 ? `${written} / ${planned}` : whole(written)],
    [t("shelf.words"), figures && whole(figures.totals.length)],
    [t("shelf.cast"), whole(story.characters.length)],
    [t("shelf.promises_open"), whole(open)],
    [t("shelf.score"), view.report ? whole(view.report.quality_score) : undefined],
    [t("shelf.cost"), price(view.usage)],
  ];
  return (
    <dl className={styles.figures}>
      {told.map(([name, value]) => (
        <div key={name} className={styles.figure}>
          <dt>{name}</dt>
          <dd>{value ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

function Runs({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  return (
    <>
      <h2 className={styles.section}>{t("shelf.last_runs")}</h2>
      {view.runs.length === 0 && <Dim>{t("shelf.no_runs")}</Dim>}
      <ul className={styles.list}>
        {view.runs.slice(0, SHOWN).map((run) => (
          <li key={run.run}>
            <Tag>{t(`shelf.status.${run.status}`)}</Tag>
            <Link href={at.run(run.project, run.run)}>{run.requirement || run.run}</Link>
            <Dim>{ago(run.started)}</Dim>
          </li>
        ))}
      </ul>
    </>
  );
}

function Changes({ project }: { project: string }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  const agentName = useAgentName();
  const path = { params: { path: { project } } };
  const query = useQuery({
    queryKey: [...keys.project(project), "changes"],
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/changes", path)),
  });
  const undo = useMutation({
    mutationFn: (change: number) =>
      answer(http.POST("/api/v1/projects/{project}/changes/undo", { ...path, body: { change } })),
    onSuccess: () => changed(project),
  });
  return (
    <>
      <h2 className={styles.section}>{t("shelf.last_changes")}</h2>
      {undo.error && <Failed error={undo.error} />}
      <Asked query={query}>
        {(changes) => (
          <ul className={styles.list}>
            {changes
              .slice(-SHOWN)
              .reverse()
              .map((change, index) => (
                <li key={change.change}>
                  <Tag>{agentName(change.agent)}</Tag>
                  <span style={{ flex: 1 }}>{namesOf(change)}</span>
                  <Dim>{ago(change.at)}</Dim>
                  {index === 0 && (
                    <Button onClick={() => undo.mutate(change.change)} disabled={undo.isPending}>
                      {t("shelf.undo_change")}
                    </Button>
                  )}
                </li>
              ))}
          </ul>
        )}
      </Asked>
    </>
  );
}

type Named = { name: string; id: string };

/** The pieces of a change, as far as they fit a line. */
function namesOf({ put, removed }: { put: Named[]; removed: Named[] }): string {
  const MOST = 5;
  const names = [
    ...put.map((piece) => piece.name || piece.id),
    ...removed.map((piece) => `− ${piece.name || piece.id}`),
  ];
  const rest = names.length - MOST;
  return names.slice(0, MOST).join(" · ") + (rest > 0 ? ` +${rest}` : "");
}
