import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { UserRole } from "../api/schema";
import { Button } from "../parts/Button";
import { Select, TextField } from "../parts/Field";
import { isUserId, useAddUser } from "./access";
import styles from "./MakeKey.module.css";
import { Told } from "./parts/Told";

const roles = ["member", "admin"] as const satisfies UserRole[];

/** Lets somebody else have projects of their own. */
export function AddUser() {
  const { t } = useTranslation();
  const [user, call] = useState("");
  const [name, title] = useState("");
  const [role, choose] = useState<UserRole>("member");
  const add = useAddUser();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const done = () => {
      call("");
      title("");
    };
    add.mutate({ user, name: name.trim() || null, role }, { onSuccess: done });
  };
  const isWrong = user !== "" && !isUserId(user);
  return (
    <form onSubmit={submit} className={styles.form}>
      <div>
        <TextField
          label={t("settings.access.id")}
          placeholder="anna"
          value={user}
          aria-invalid={isWrong}
          onChange={(event) => call(event.target.value)}
        />
        {isWrong && <p role="alert">{t("settings.access.id_wrong")}</p>}
      </div>
      <TextField
        label={t("settings.access.called")}
        value={name}
        onChange={(event) => title(event.target.value)}
      />
      <Select
        label={t("settings.access.role_title")}
        value={role}
        onChange={(event) => choose(event.target.value as UserRole)}
      >
        {roles.map((each) => (
          <option key={each} value={each}>
            {t(`settings.access.role.${each}`)}
          </option>
        ))}
      </Select>
      <Button type="submit" disabled={add.isPending || !isUserId(user)}>
        {t("settings.access.add_user")}
      </Button>
      <Told error={add.error} />
    </form>
  );
}
