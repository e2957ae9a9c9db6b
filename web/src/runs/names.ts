import { useTranslation } from "react-i18next";
import { useAgentName } from "../parts/agents";

type Group = "agent" | "node" | "work" | "mode" | "stage" | "pieces" | "category" | "decide.review";

/** What people call the things of a run; their own names where the dictionaries have none. */
export function useNames() {
  const { t, i18n } = useTranslation();
  const shared = useAgentName();
  const word = (group: Group, name: string): string => {
    const key = `runs.${group}.${name}`;
    return i18n.exists(key) ? String(t(key as "runs.agent.person")) : name;
  };
  return {
    word,
    /** An agent, or a step of a run's graph. */
    agent: (name: string) =>
      [word("agent", name), shared(name), word("node", name)].find((found) => found !== name) ?? name,
    /** Earlier releases kept a request to write chapters in a few fixed words. */
    task: (requirement: string): string => {
      const found = taskIn(requirement);
      if (!found) return requirement;
      const { kind, chapters } = found;
      return t(`runs.task.${kind}`, { chapters: chapters || t("runs.task.all") });
    },
  };
}

type TaskKind = "draft" | "correct" | "read" | "rewrite";

/** What a request such as `draft 3, 4` stands for. */
export function taskIn(requirement: string): { kind: TaskKind; chapters: string } | undefined {
  const found = /^(draft|correct|read|rewrite)(?: ([\d, –-]+))?$/.exec(requirement);
  return found ? { kind: found[1] as TaskKind, chapters: found[2] ?? "" } : undefined;
}
