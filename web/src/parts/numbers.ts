import { useTranslation } from "react-i18next";
import type { UsageView } from "../api/schema";

/** Numbers and prices in the reader's language. */
export function useNumbers() {
  const { i18n } = useTranslation();
  const locale = i18n.language === "zh" ? "zh-CN" : "en";
  return {
    whole: (value: number) => new Intl.NumberFormat(locale).format(value),
    short: (value: number) =>
      new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }).format(value),
    /** The price of calls; nothing where it is unknown or nothing was charged. */
    price({ cost }: Pick<UsageView, "cost">): string | undefined {
      if (!cost || cost.micros === 0) return undefined;
      const style = { style: "currency", currency: cost.currency, maximumFractionDigits: 4 } as const;
      return new Intl.NumberFormat(locale, style).format(cost.micros / 1_000_000);
    },
  };
}
