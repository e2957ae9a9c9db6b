import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { keys } from "../../api/queries";
import type { ChangeRow, Differences } from "../../api/schema";
import { Asked } from "../../parts/states";
import styles from "./SavedVersions.module.css";

type Props = { project: string; version: number; change: ChangeRow | undefined };

/** What a version changed against the one before it: the texts word by word, the material by name. */
export function Comparison({ project, version, change }: Props) {
  const { t } = useTranslation();
  const from = version - 1;
  const query = useQuery({
    queryKey: [...keys.project(project), "comparison", from, version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/comparison", {
          params: { path: { project }, query: { from, to: version } },
        }),
      ),
  });
  return (
    <div className={styles.comparison}>
      <p className={styles.who}>{t("runs.page.compare_with", { version: from })}</p>
      <Pieces change={change} />
      <Asked query={query}>
        {({ texts }) => texts.map((text) => <Text key={text.document} text={text} />)}
      </Asked>
    </div>
  );
}

function Pieces({ change }: { change: ChangeRow | undefined }) {
  const { t } = useTranslation();
  if (!change) return <p className={styles.who}>{t("runs.page.gone")}</p>;
  return (
    <ul className={styles.pieces}>
      {change.put.map((piece) => (
        <li key={`${piece.kind}/${piece.id}`}>{piece.name || piece.id}</li>
      ))}
      {change.removed.map((piece) => (
        <li key={`${piece.kind}/${piece.id}`} data-removed>
          <span className="unseen">{t("runs.page.removed")} </span>
          {piece.name || piece.id}
        </li>
      ))}
    </ul>
  );
}

function Text({ text }: { text: Differences["texts"][number] }) {
  return (
    <section className={styles.text}>
      <h4>
        {text.title} <small>+{text.added}</small> <small>−{text.removed}</small>
      </h4>
      {text.hunks.map((hunk) => (
        <p key={`${hunk.old_line}/${hunk.new_line}`}>
          {hunk.spans.map((span, index) => {
            const Part = span.op === "added" ? "ins" : span.op === "removed" ? "del" : "span";
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never change
            return <Part key={index}>{span.text}</Part>;
          })}
        </p>
      ))}
    </section>
  );
}
