import { useTranslation } from "react-i18next";

/** The user of the server's own machine, as a run's approver. */
const LOCAL = "local";

/** Names the approver of a run to a reader. */
export function useApproverName(): (name: string) => string {
  const { t } = useTranslation();
  return (name) => (name === LOCAL ? t("runs.decide.approver.owner") : name);
}
