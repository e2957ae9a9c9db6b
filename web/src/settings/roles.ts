import { useTranslation } from "react-i18next";
import type { ModelRow } from "../api/schema";

/** Which roles each model serves: the model with the most first. */
export function roles(providers: readonly Pick<ModelRow, "roles">[]): { model: string; roles: string[] }[] {
  const served = new Map<string, string[]>();
  for (const provider of providers) {
    for (const [role, model] of Object.entries(provider.roles)) {
      served.set(model, [...(served.get(model) ?? []), role]);
    }
  }
  return [...served]
    .map(([model, names]) => ({ model, roles: names.sort() }))
    .sort((one, other) => other.roles.length - one.roles.length);
}

/** A role or an agent in the reader's language; one without a word is told as it is. */
export function useRoleName(): (role: string) => string {
  const { t, i18n } = useTranslation();
  return (role) => {
    const key = `settings.role.${role.replace(/_agent$/, "")}`;
    return i18n.exists(key) ? String(t(key as "settings.role.writer")) : role;
  };
}
