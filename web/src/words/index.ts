import i18next from "i18next";
import { initReactI18next } from "react-i18next";
import { en } from "./en";
import { zh } from "./zh";

/** The languages of the pages. */
export const languages = ["zh", "en"] as const;
export type Language = (typeof languages)[number];

/** The Chinese dictionary is the model; the English one must have the same keys. */
export type Words = Shape<typeof zh>;
type Shape<T> = { [K in keyof T]: T[K] extends string ? string : Shape<T[K]> };

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "translation";
    resources: { translation: typeof zh };
    returnNull: false;
  }
}

const KEPT = "qingyu.language";

function first(): Language {
  const kept = localStorage.getItem(KEPT);
  if (kept === "zh" || kept === "en") return kept;
  return navigator.language.startsWith("zh") ? "zh" : "en";
}

void i18next.use(initReactI18next).init({
  lng: first(),
  fallbackLng: "en",
  resources: { zh: { translation: zh }, en: { translation: en satisfies Words } },
  interpolation: { escapeValue: false },
  returnNull: false,
});
tag(language());

/** The language that the pages speak. */
export function language(): Language {
  return i18next.language === "zh" ? "zh" : "en";
}

export function speak(chosen: Language): void {
  localStorage.setItem(KEPT, chosen);
  tag(chosen);
  void i18next.changeLanguage(chosen);
}

function tag(chosen: Language): void {
  document.documentElement.lang = chosen === "zh" ? "zh-CN" : "en";
}
