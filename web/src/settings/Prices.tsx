import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import type { Price } from "../api/schema";
import { Asked } from "../parts/states";
import { Section, Table } from "./parts/parts";
import styles from "./parts/parts.module.css";

/** What models cost. */
export function Prices() {
  const { t } = useTranslation();
  const query = useQuery({ queryKey: ["prices"], queryFn: () => answer(http.GET("/api/v1/prices")) });
  return (
    <Section title={t("settings.tab.prices")} about={t("settings.prices.about")}>
      <Asked query={query}>{(prices) => <Shown prices={prices} />}</Asked>
    </Section>
  );
}

function Shown({ prices }: { prices: Readonly<Record<string, Price>> }) {
  const { t, i18n } = useTranslation();
  const money = (amount: number | null | undefined, currency: string) =>
    amount === null || amount === undefined || amount === 0
      ? "–"
      : new Intl.NumberFormat(i18n.language, {
          style: "currency",
          currency,
          maximumFractionDigits: 3,
        }).format(amount);
  return (
    <Table
      label={t("settings.tab.prices")}
      head={
        <tr>
          <th scope="col">{t("settings.prices.model")}</th>
          <th scope="col" className={styles.number}>
            {t("settings.prices.input")}
          </th>
          <th scope="col" className={styles.number}>
            {t("settings.prices.cached")}
          </th>
          <th scope="col" className={styles.number}>
            {t("settings.prices.output")}
          </th>
          <th scope="col">{t("settings.prices.date")}</th>
        </tr>
      }
    >
      {Object.entries(prices).map(([model, { input, cached, output, currency, date }]) => (
        <tr key={model}>
          <th scope="row" className={styles.code}>
            {model}
          </th>
          <td className={styles.number}>{money(input, currency)}</td>
          <td className={styles.number}>{money(cached, currency)}</td>
          <td className={styles.number}>{money(output, currency)}</td>
          <td>{date ?? "–"}</td>
        </tr>
      ))}
    </Table>
  );
}
