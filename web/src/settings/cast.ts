import type { ModelRow, SettingRow } from "../api/schema";
import type { Step } from "./changes";

/** Who can be cast, in the order in which a book comes about. */
export const castRoles = [
  "planner",
  "worldview",
  "outline",
  "character",
  "plot",
  "style",
  "writer",
  "review",
  "settle",
  "assistant",
  "orchestrator",
  "creative",
  "analysis",
  "text_review",
  "data_analysis",
  "production",
  "research",
  "consumer",
  "judge",
] as const;
export type CastRole = (typeof castRoles)[number];

/** The model that is taken first, and for each role the one that is set for it; empty where none is. */
export type Cast = { default: string } & Record<CastRole, string>;
/** A model that can be named, and whether it could be asked as things are. */
export type Offer = { model: string; isReady: boolean };

/** What makes the studio choose by itself. */
export const AUTO = "auto";
const places = ["default", ...castRoles] as const;

/** Who is cast, as the settings say it. */
export function castOf(rows: readonly SettingRow[]): Cast {
  const said = (place: string) => {
    const value = rows.find(({ key }) => key === `models.${place}`)?.value;
    return typeof value === "string" ? value : "";
  };
  return Object.fromEntries(places.map((place) => [place, said(place)])) as Cast;
}

/** The model that serves every role whatever the rest says; none as a rule. */
export function allOf(rows: readonly SettingRow[]): string | undefined {
  const value = rows.find(({ key }) => key === "models.all")?.value;
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** What has to be written for a cast to become another; what is emptied is taken out of the file. */
export function castSteps(before: Cast, now: Cast): Step[] {
  return places
    .filter((place) => before[place].trim() !== now[place].trim())
    .map((place) => {
      const value = now[place].trim();
      return { key: `models.${place}`, ...(value === "" ? {} : { value }) };
    });
}

/** Every model that is known by name, those that can be asked first. */
export function offersOf(providers: readonly ModelRow[]): Offer[] {
  const offers = providers.flatMap((provider) =>
    provider.models.map((model) => ({
      model: fullName(provider.provider, model),
      isReady: isReady(provider),
    })),
  );
  return [...offers.filter((offer) => offer.isReady), ...offers.filter((offer) => !offer.isReady)];
}

/** Why a model could not be asked: nobody knows its provider, or there is no key. */
export function doubt(model: string, providers: readonly ModelRow[]): "unknown" | "no_key" | undefined {
  const name = model.trim();
  if (name === "" || name === AUTO || /^(cassette|local):/.test(name)) return undefined;
  const provider = providers.find((row) => row.provider === name || name.startsWith(`${row.provider}/`));
  if (!provider) return "unknown";
  return isReady(provider) ? undefined : "no_key";
}

/** Whether a provider can be asked as it is. */
export function isReady({ key_present: hasKey, key_variable: variable, reachable }: ModelRow): boolean {
  return hasKey || reachable === true || (variable == null && reachable == null);
}

function fullName(provider: string, model: string): string {
  return model === provider || model.startsWith(`${provider}/`) ? model : `${provider}/${model}`;
}
