import { Link } from "wouter";
import { useProject } from "../api/queries";
import { at } from "../shell/places";
import styles from "./Feed.module.css";
import { Dot } from "./Status";
import type { PhaseProgress } from "./state";

/** A phase of a production with the fields that were worked on. */
export function PhaseLine({
  project,
  phase,
  isLast,
}: {
  project: string;
  phase: PhaseProgress;
  isLast: boolean;
}) {
  const { data } = useProject(project);
  const known = data?.story.production?.phases.find((one) => one.name === phase.phase);
  const isWorking = phase.fields.some((field) => field.status === "running");
  const status = isWorking ? "running" : isLast && phase.fields.length === 0 ? "running" : "done";
  return (
    <section className={styles.work} data-status={status}>
      <header>
        <Dot status={status} />
        <strong>{known?.title || phase.title}</strong>
        <span className={styles.figures}>
          {phase.fields.length > 0 &&
            `${phase.fields.filter((field) => field.status === "done").length} / ${phase.fields.length}`}
        </span>
      </header>
      {phase.fields.length > 0 && (
        <ul className={styles.fields}>
          {phase.fields.map((field) => (
            <li key={field.path}>
              <Dot status={field.status} />
              <Link className={styles.field} href={at.field(project, field.path)}>
                {field.title}
              </Link>
              {field.message && <span className={styles.warning}>{field.message}</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
