import { useTranslation } from "react-i18next";

/** What people call an agent, such as `outline_agent`; its own name where the dictionaries have none. */
export function useAgentName(): (agent: string) => string {
  const { t, i18n } = useTranslation();
  return (agent) => {
    const key = `common.agent.${agent}`;
    return i18n.exists(key) ? t(key as "common.agent.person") : agent;
  };
}
