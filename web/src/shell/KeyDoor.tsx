import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { setKey } from "../api/client";
import { queries } from "../api/queries";
import { Button } from "../parts/Button";
import { TextField } from "../parts/Field";
import { Empty } from "../parts/states";

/** A server that others reach asks who comes. */
export function KeyDoor() {
  const { t } = useTranslation();
  const [typed, type] = useState("");
  const enter = (event: FormEvent) => {
    event.preventDefault();
    setKey(typed.trim());
    void queries.resetQueries();
  };
  return (
    <Empty title={t("shell.key.title")}>
      <p>{t("shell.key.about")}</p>
      <form onSubmit={enter}>
        <TextField
          label={t("shell.key.label")}
          type="password"
          autoComplete="off"
          value={typed}
          onChange={(event) => type(event.target.value)}
        />
        <p>
          <Button type="submit" kind="main" disabled={typed.trim() === ""}>
            {t("shell.key.enter")}
          </Button>
        </p>
      </form>
    </Empty>
  );
}
