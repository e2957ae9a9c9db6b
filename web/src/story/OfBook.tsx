import type { ReactNode } from "react";
import { useProject } from "../api/queries";
import type { ProjectView } from "../api/story";
import { Asked } from "../parts/states";
import styles from "./parts.module.css";

type Props = { project: string; children: (view: ProjectView) => ReactNode };

/** A page about a book, once it is there, in letters that suit the book's language. */
export function OfBook({ project, children }: Props) {
  return (
    <Asked query={useProject(project)}>
      {(view) => (
        <div className={styles.letters} data-language={view.project.language}>
          {children(view)}
        </div>
      )}
    </Asked>
  );
}
