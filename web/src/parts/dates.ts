import { useTranslation } from "react-i18next";

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];

/** Points in time and lengths of it in the reader's language. */
export function useDates() {
  const { i18n } = useTranslation();
  const locale = i18n.language === "zh" ? "zh-CN" : "en";
  return {
    /** As “3 minutes ago”; the date after a month. */
    ago(at: string, now = Date.now()): string {
      const seconds = (Date.parse(at) - now) / 1_000;
      if (Math.abs(seconds) > 30 * 86_400) return new Date(at).toLocaleDateString(locale);
      const [unit, length] = units.find(([, length]) => Math.abs(seconds) >= length) ?? ["second", 1];
      return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(
        Math.round(seconds / length),
        unit,
      );
    },
    /** Date and time of day. */
    when(at: string): string {
      return new Date(at).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" });
    },
    /** As 2:14, or 1:02:14. */
    lasting(millis: number): string {
      const seconds = Math.max(0, Math.round(millis / 1_000));
      const two = (part: number) => String(part).padStart(2, "0");
      const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
      return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
    },
  };
}
