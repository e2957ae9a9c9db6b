import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../parts/Button";
import { TextArea } from "../parts/Field";
import styles from "./FieldPage.module.css";

type Props = {
  isReport: boolean;
  isBusy: boolean;
  onMake: (instruction: string, isChange: boolean) => void;
};

/** Has a field made anew, or changed as one says. A report is found out anew; nothing can be asked of it. */
export function MakeAgain({ isReport, isBusy, onMake }: Props) {
  const { t } = useTranslation();
  const [said, say] = useState("");
  const instruction = said.trim();
  const make = (isChange: boolean) => () => {
    onMake(instruction, isChange);
    say("");
  };
  return (
    <section className={styles.make} aria-label={t("content.make_again")}>
      {!isReport && (
        <TextArea
          label={t("content.instruction")}
          rows={2}
          value={said}
          placeholder={t("content.instruction_example")}
          onChange={(event) => say(event.target.value)}
        />
      )}
      <div className={styles.acts}>
        {!isReport && (
          <Button disabled={isBusy || instruction === ""} onClick={make(true)}>
            {t("content.change_only")}
          </Button>
        )}
        <Button disabled={isBusy} onClick={make(false)}>
          {isReport ? t("content.find_out_again") : t("content.make_again")}
        </Button>
      </div>
    </section>
  );
}
