import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useChapters, useProject } from "../api/queries";
import type { ProjectView } from "../api/story";
import { firstUnwritten } from "../chapters/list";
import { Button } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { useNumbers } from "../parts/numbers";
import { Page } from "../parts/Page";
import { Asked, Failed } from "../parts/states";
import { useNames } from "../runs/names";
import { scoreOf } from "../runs/score";
import { at } from "../shell/places";
import { lengthOfText } from "../write/count";
import { useStart } from "./actions";
import { Changes } from "./Changes";
import { Goals } from "./Goals";
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
  const { data: list } = useChapters(project);
  const next = firstUnwritten(list?.chapters ?? []);
  return (
    <Page
      title={view.project.title}
      about={view.project.premise}
      actions={
        <>
          {(view.project.unread ?? 0) > 0 && (
            <Button
              disabled={start.isPending}
              onClick={() => start.mutate({ kind: "write", project, task: { kind: "read", chapters: [] } })}
            >
              {t("shelf.read", { count: view.project.unread ?? 0 })}
            </Button>
          )}
          {next && (
            <Button
              kind="main"
              disabled={start.isPending}
              onClick={() =>
                start.mutate({ kind: "write", project, task: { kind: "draft", chapters: [next] } })
              }
            >
              {t("shelf.write_next")}
            </Button>
          )}
        </>
      }
    >
      {start.error && <Failed error={start.error} />}
      <Figures view={view} />
      <Goals project={project} />
      <Runs view={view} />
      <Changes project={project} />
    </Page>
  );
}

function Figures({ view }: { view: ProjectView }) {
  const { t } = useTranslation();
  const { whole, price } = useNumbers();
  const { story } = view;
  const planned = story.outline_nodes.filter((node) => node.kind === "chapter").length;
  const written = story.documents.length;
  const open = story.promises.filter((promise) => promise.paid.length === 0).length;
  const length = story.documents.reduce((sum, text) => sum + lengthOfText(text, story.language), 0);
  const score = view.report ? scoreOf(view.report) : undefined;
  const isEarlier = (view.changed_since_report ?? 0) > 0;
  const scored = score === undefined ? undefined : whole(score);
  const told: [string, string | undefined][] = [
    [t("shelf.chapters"), planned > 0 ? `${written} / ${planned}` : whole(written)],
    [t("shelf.words"), whole(length)],
    [t("shelf.cast"), whole(story.characters.length)],
    [t("shelf.promises_open"), whole(open)],
    [t("shelf.unread"), whole(view.project.unread ?? 0)],
    [t(isEarlier ? "shelf.score_earlier" : "shelf.score"), scored],
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
  const { task } = useNames();
  return (
    <>
      <h2 className={styles.section}>{t("shelf.last_runs")}</h2>
      {view.runs.length === 0 && <Dim>{t("shelf.no_runs")}</Dim>}
      <ul className={styles.list}>
        {view.runs.slice(0, SHOWN).map((run) => (
          <li key={run.run}>
            <Tag>{t(`shelf.status.${run.status}`)}</Tag>
            <Link href={at.run(run.project, run.run)}>{task(run.requirement) || run.run}</Link>
            <Dim>{ago(run.started)}</Dim>
          </li>
        ))}
      </ul>
    </>
  );
}
