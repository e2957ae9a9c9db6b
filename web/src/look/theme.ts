/** Light, dark, or as the system has it. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

const KEPT = "qingyu.theme";

export function theme(): Theme {
  const kept = localStorage.getItem(KEPT);
  return kept === "light" || kept === "dark" ? kept : "system";
}

export function paint(chosen: Theme): void {
  localStorage.setItem(KEPT, chosen);
  if (chosen === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = chosen;
}

paint(theme());
