import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import type { ModelRow } from "../api/schema";
import { Asked } from "../parts/states";
import { Casting } from "./Casting";
import { isReady } from "./cast";
import { ModelKey } from "./ModelKey";
import styles from "./Models.module.css";
import { CopyButton, Section } from "./parts/parts";
import partStyles from "./parts/parts.module.css";
import { roles, useRoleName } from "./roles";

/** Which providers there are, whether they can be asked, and which model serves whom. */
export function Models() {
  const query = useQuery({ queryKey: ["models"], queryFn: () => answer(http.GET("/api/v1/models")) });
  return <Asked query={query}>{(providers) => <Shown providers={providers} />}</Asked>;
}

function Shown({ providers }: { providers: readonly ModelRow[] }) {
  const { t } = useTranslation();
  const isOffline = providers.every((provider) => !isReady(provider) || provider.base_url === "");
  return (
    <>
      {isOffline && <p className={partStyles.note}>{t("settings.models.offline")}</p>}
      <ModelKey providers={providers} />
      <Casting project="" providers={providers} />
      <Roles providers={providers} />
      <Section title={t("settings.models.providers")} about={t("settings.models.providers_about")}>
        <ul className={styles.providers}>
          {sorted(providers).map((provider) => (
            <Provider key={provider.provider} provider={provider} />
          ))}
        </ul>
      </Section>
    </>
  );
}

function sorted(providers: readonly ModelRow[]): ModelRow[] {
  const rank = (provider: ModelRow) =>
    Object.keys(provider.roles).length > 0 ? 0 : isReady(provider) ? 1 : 2;
  return [...providers].sort((one, other) => rank(one) - rank(other));
}

function Roles({ providers }: { providers: readonly ModelRow[] }) {
  const { t } = useTranslation();
  const name = useRoleName();
  const served = roles(providers);
  if (served.length === 0) return <p>{t("settings.models.no_roles")}</p>;
  return (
    <Section title={t("settings.models.roles")} about={t("settings.models.roles_about")}>
      {served.map(({ model, roles }) => (
        <div key={model} className={styles.served}>
          <code>{model}</code>
          <ul>
            {roles.map((role) => (
              <li key={role}>{name(role)}</li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  );
}

function Provider({ provider }: { provider: ModelRow }) {
  const { t } = useTranslation();
  const variable = provider.key_variable;
  return (
    <li className={styles.provider} data-ready={isReady(provider)}>
      <header>
        <h3>{provider.provider}</h3>
        <span className={styles.state}>{t(`settings.models.state.${stateOf(provider)}`)}</span>
      </header>
      {provider.base_url && <code>{provider.base_url}</code>}
      <p>{provider.models.join(", ") || t("settings.models.no_models")}</p>
      {Object.entries(provider.retiring).map(([model, day]) => (
        <p key={model}>{t("settings.models.retiring", { model, day })}</p>
      ))}
      {variable && !provider.key_present && (
        <p className={styles.variable}>
          <code>{variable}</code>
          <CopyButton text={variable} name={t("settings.models.copy", { variable })} />
        </p>
      )}
    </li>
  );
}

function stateOf(provider: ModelRow): "key" | "no_key" | "reachable" | "silent" | "built_in" {
  if (provider.base_url === "") return "built_in";
  if (provider.key_variable) return provider.key_present ? "key" : "no_key";
  return provider.reachable ? "reachable" : "silent";
}
