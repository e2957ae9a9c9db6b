import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { Problem } from "../api/problem";
import { changed, keys } from "../api/queries";
import type { BranchComparison as Compared, MergeSide as Side } from "../api/schema";
import { Button } from "../parts/Button";
import { Asked } from "../parts/states";
import styles from "./Branches.module.css";
import { Segments } from "./parts/parts";
import { Told } from "./parts/Told";
import { type Group, namesOf, together } from "./pieces";

const MOST_HUNKS = 8;

/** What a branch and its project have that the other has not, and taking it over. */
export function BranchComparison({ project, name }: { project: string; name: string }) {
  const query = useQuery({
    queryKey: [...keys.project(project), "branches", name],
    queryFn: () =>
      answer(
        http.GET("/api/v1/projects/{project}/branches/{name}/comparison", {
          params: { path: { project, name } },
        }),
      ),
  });
  return (
    <Asked query={query}>{(compared) => <Shown project={project} name={name} compared={compared} />}</Asked>
  );
}

function Shown({ project, name, compared }: { project: string; name: string; compared: Compared }) {
  const { t } = useTranslation();
  const { pieces, texts } = compared;
  if (pieces.length === 0 && texts.length === 0) return <p>{t("settings.branches.same")}</p>;
  return (
    <>
      <ul className={styles.pieces}>
        {together(pieces).map((group) => (
          <Pieces key={`${group[0].kind} ${group[0].id}`} group={group} />
        ))}
      </ul>
      {texts.map((text) => (
        <section key={text.document} className={styles.text}>
          <h4>
            {text.title}{" "}
            <small>
              +{text.added} −{text.removed}
            </small>
          </h4>
          {text.hunks.slice(0, MOST_HUNKS).map((hunk) => (
            <p key={`${hunk.old_line} ${hunk.new_line}`} className={styles.hunk}>
              {hunk.spans.map((span, place) => {
                const Mark = ({ same: "span", added: "ins", removed: "del" } as const)[span.op];
                // biome-ignore lint/suspicious/noArrayIndexKey: stretches have no names
                return <Mark key={place}>{span.text}</Mark>;
              })}
            </p>
          ))}
          {text.hunks.length > MOST_HUNKS && (
            <small>{t("settings.branches.more", { count: text.hunks.length - MOST_HUNKS })}</small>
          )}
        </section>
      ))}
      <Merge project={project} name={name} hasConflict={pieces.some((piece) => piece.conflict)} />
    </>
  );
}

/** Pieces of a kind that met with the same, in a line; what the two sides do not agree on stands alone. */
function Pieces({ group }: { group: Group }) {
  const { t, i18n } = useTranslation();
  const [first] = group;
  const key = `settings.piece.${first.kind}`;
  const kind = i18n.exists(key) ? String(t(key as "settings.piece.character")) : first.kind;
  return (
    <li className={first.conflict ? styles.conflict : undefined}>
      <span>{namesOf(group) || first.id}</span>
      <small>{group.length > 1 ? `${kind} × ${group.length}` : kind}</small>
      {first.project !== "same" && (
        <small>
          {t("settings.branches.project")} {t(`settings.fate.${first.project}`)}
        </small>
      )}
      {first.branch !== "same" && (
        <small>
          {t("settings.branches.branch")} {t(`settings.fate.${first.branch}`)}
        </small>
      )}
      {first.conflict && <small>{t("settings.branches.conflict")}</small>}
    </li>
  );
}

function Merge({ project, name, hasConflict }: { project: string; name: string; hasConflict: boolean }) {
  const { t } = useTranslation();
  const [right, decide] = useState<Side>();
  const merge = useMutation({
    mutationFn: () =>
      answer(
        http.POST("/api/v1/projects/{project}/branches/{name}/merge", {
          params: { path: { project, name } },
          body: { right: right ?? null },
        }),
      ),
    onSuccess: () => changed(project),
  });
  const isConflict = merge.error instanceof Problem && merge.error.status === 409;
  return (
    <div className={styles.merge}>
      {(hasConflict || isConflict) && (
        <>
          <span>{t("settings.branches.who_is_right")}</span>
          <Segments<Side>
            label={t("settings.branches.who_is_right")}
            value={right}
            options={[
              ["project", t("settings.branches.project")],
              ["branch", t("settings.branches.branch")],
            ]}
            onChange={decide}
          />
        </>
      )}
      <Button
        kind="main"
        disabled={merge.isPending || (hasConflict && right === undefined)}
        onClick={() => merge.mutate()}
      >
        {t("settings.branches.merge")}
      </Button>
      <span role="status">
        {merge.data &&
          t("settings.branches.merged", { count: merge.data.taken.length + merge.data.settled.length })}
      </span>
      <Told error={merge.error} />
    </div>
  );
}
