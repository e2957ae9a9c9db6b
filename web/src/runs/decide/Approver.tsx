import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { keys, queries, useRun } from "../../api/queries";
import { Select } from "../../parts/Field";
import { Failed } from "../../parts/states";
import { useApprovers, useMembers } from "../../settings/members";
import { useApproverName } from "../approvers";
import styles from "./DecisionCard.module.css";

/** The only person who may answer the run, and the choice of another. Empty in a book that nobody else works on. */
export function Approver({ project, run }: { project: string; run: string }) {
  const { t } = useTranslation();
  const called = useApproverName();
  const approver = useRun(run).data?.approver ?? "";
  const members = useMembers(project).data ?? [];
  const able = useApprovers(project).data ?? [];
  const change = useMutation({
    mutationFn: (name: string) =>
      answer(
        http.PUT("/api/v1/runs/{run}/approver", {
          params: { path: { run } },
          body: { approver: name || null },
        }),
      ),
    onSettled: () => void queries.invalidateQueries({ queryKey: keys.runs }),
  });
  if (members.length === 0 && !approver) return null;
  const names = [...new Set([...able, ...(approver ? [approver] : [])])];
  return (
    <div>
      {approver && <p className={styles.why}>{t("runs.decide.approver.only", { name: called(approver) })}</p>}
      <Select
        label={t("runs.decide.approver.label")}
        value={approver}
        disabled={change.isPending}
        onChange={(event) => change.mutate(event.target.value)}
      >
        <option value="">{t("runs.decide.approver.everybody")}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {called(name)}
          </option>
        ))}
      </Select>
      {change.error && <Failed error={change.error} />}
    </div>
  );
}
