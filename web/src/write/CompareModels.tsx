import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { Dialog } from "../parts/Dialog";
import { Select } from "../parts/Field";
import { Asked } from "../parts/states";
import { offersOf } from "../settings/cast";
import styles from "./CompareModels.module.css";
import { estimateOf, priceOf } from "./models";
import type { Order } from "./orders";

type Props = {
  order: Order;
  onAsk(models: readonly (string | undefined)[]): void;
  onClose(): void;
};

/** Chooses two models for the same order; each says its price before anything is sent. */
export function CompareModels({ order, onAsk, onClose }: Props) {
  const { t } = useTranslation();
  const models = useQuery({ queryKey: ["models"], queryFn: () => answer(http.GET("/api/v1/models")) });
  const [chosen, choose] = useState<readonly [string, string]>(["", ""]);
  const ready = offersOf(models.data ?? []).filter(({ isReady }) => isReady);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onAsk(chosen.map((model) => model || undefined));
  };
  return (
    <Dialog label={t("write.models.title")} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <h2>{t("write.models.title")}</h2>
        <Dim>{t("write.models.about")}</Dim>
        <Asked query={models}>
          {() =>
            ([0, 1] as const).map((place) => (
              <div key={place} className={styles.choice}>
                <Select
                  label={t("write.models.model", { number: place + 1 })}
                  value={chosen[place]}
                  onChange={(event) =>
                    choose(place === 0 ? [event.target.value, chosen[1]] : [chosen[0], event.target.value])
                  }
                >
                  <option value="">{t("write.models.usual")}</option>
                  {ready.map(({ model }) => (
                    <option key={model} value={model}>
                      {model}
                    </option>
                  ))}
                </Select>
                <Expected order={order} model={chosen[place]} />
              </div>
            ))
          }
        </Asked>
        {ready.length === 0 && models.isSuccess && <Dim>{t("write.models.none")}</Dim>}
        <div className={styles.acts}>
          <Button kind="main" type="submit" disabled={chosen[0] === chosen[1]}>
            {t("write.models.ask")}
          </Button>
          <Button kind="plain" onClick={onClose}>
            {t("common.cancel")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The expected cost of an answer of a model. */
function Expected({ order, model }: { order: Order; model: string }) {
  const { t, i18n } = useTranslation();
  const request = `${order.words}\n${order.anchor.quote}`;
  const forecast = useQuery({
    queryKey: ["forecast", "task", request],
    queryFn: () => answer(http.POST("/api/v1/forecast", { body: { request: { kind: "task", request } } })),
    staleTime: 60_000,
  });
  const prices = useQuery({ queryKey: ["prices"], queryFn: () => answer(http.GET("/api/v1/prices")) });
  if (!forecast.data || !prices.data) return <Dim>{t("common.loading")}</Dim>;
  const usual = forecast.data.rows.at(-1)?.model ?? "";
  const estimate = estimateOf(forecast.data, priceOf(model || usual, prices.data));
  if (!estimate) return <Dim>{t("write.models.no_price")}</Dim>;
  const { amount, currency } = estimate;
  const money = new Intl.NumberFormat(i18n.language, {
    style: "currency",
    currency,
    maximumFractionDigits: 4,
  });
  return <Dim>{t("write.models.price", { price: money.format(amount) })}</Dim>;
}

type SideProps = { order: Order; onLook(version: number): void; onClose(): void };

/** The versions of an answer side by side, each with the model that wrote it. */
export function SideBySide({ order, onLook, onClose }: SideProps) {
  const { t } = useTranslation();
  return (
    <Dialog label={t("write.models.side")} onClose={onClose}>
      <div className={styles.sides}>
        {order.infos.map(({ model, whole }, version) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a version is known by its place
          <article key={version} aria-current={version === order.version || undefined}>
            <h3>{model ?? t("write.models.usual")}</h3>
            <p>{whole}</p>
            <Button onClick={() => onLook(version)}>{t("write.models.show")}</Button>
          </article>
        ))}
      </div>
      <div className={styles.acts}>
        <Button onClick={onClose}>{t("common.close")}</Button>
      </div>
    </Dialog>
  );
}
