import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { keys } from "../../api/queries";
import type { ChangeRow, VersionComparison as Differences } from "../../api/schema";
import { Asked } from "../../parts/states";
import { useKindWords } from "../../story/parts";
import { gathered } from "./gathered";
import styles from "./SavedVersions.module.css";

type Props = {
  project: string;
  version: number;
  /** Against which version; the one before it if none is said. */
  from?: number;
  change: Pick<ChangeRow, "put" | "removed"> | undefined;
};

/** What a version changed against one before it: the texts word by word, the material by name. */
export function Comparison({ project, version, from = version - 1, change }: Props) {
  const { t } = useTranslation();
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

function Pieces({ change }: Pick<Props, "change">) {
  const { t } = useTranslation();
  const kindOf = useKindWords();
  if (!change) return <p className={styles.who}>{t("runs.page.gone")}</p>;
  const words = (pieces: ChangeRow["put"]) => {
    const { named, counted } = gathered(pieces);
    return [...named, ...counted.map(([kind, count]) => `${kindOf(kind)} ${count}`)];
  };
  return (
    <ul className={styles.pieces}>
      {words(change.put).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pieces may have one name, and the list never changes
        <li key={`${index} ${name}`}>{name}</li>
      ))}
      {words(change.removed).map((name, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two pieces may have one name, and the list never changes
        <li key={`${index} ${name}`} data-removed>
          <span className="unseen">{t("runs.page.removed")} </span>
          {name}
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
