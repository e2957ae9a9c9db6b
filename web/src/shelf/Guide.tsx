import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { answer, http } from "../api/client";
import { keys, OFTEN } from "../api/queries";
import type { Guide as GuideOf, GuideStep } from "../api/schema";
import { Button } from "../parts/Button";
import button from "../parts/Button.module.css";
import { Card, Dim, Row } from "../parts/Card";
import { at } from "../shell/places";
import { useStart } from "./actions";
import styles from "./Shelf.module.css";

const STEPS: readonly GuideStep[] = ["model", "direction", "material", "chapter"];
const SKIPPED = "qingyu.guide.skipped";

/** What a new author does next, from a model to the first chapter; nothing once that is there, or when it is not wanted. */
export function Guide() {
  const { t } = useTranslation();
  const [isSkipped, skip] = useState(() => localStorage.getItem(SKIPPED) !== null);
  const { data: guide } = useQuery({
    queryKey: [...keys.projects, "guide"],
    enabled: !isSkipped,
    queryFn: () => answer(http.GET("/api/v1/guide")),
    // The run that makes the next step may end while the shelf is open.
    refetchInterval: ({ state }) => (state.data?.next ? OFTEN : false),
  });
  if (isSkipped || !guide?.next) return null;
  return (
    <Card>
      <h2>{t("shelf.guide.title")}</h2>
      <ol className={styles.steps}>
        {STEPS.map((step) => (
          <li
            key={step}
            data-state={guide.done.includes(step) ? "done" : step === guide.next ? "next" : "open"}
          >
            {t(`shelf.guide.step.${step}`)}
          </li>
        ))}
      </ol>
      <Dim>
        {guide.is_offline ? t("shelf.guide.offline") : t("shelf.guide.model", { model: guide.model })}
      </Dim>
      <Row>
        <Next guide={guide} />
        <Button
          kind="plain"
          onClick={() => {
            localStorage.setItem(SKIPPED, "1");
            skip(true);
          }}
        >
          {t("shelf.guide.skip")}
        </Button>
      </Row>
    </Card>
  );
}

function Next({ guide }: { guide: GuideOf }) {
  const { t } = useTranslation();
  const start = useStart();
  const main = `${button.button} ${button.main}`;
  const { project, run, next } = guide;
  if (next === "model") {
    return (
      <>
        <Link href={`${at.settings}#models`} className={main}>
          {t("shelf.guide.give_key")}
        </Link>
        <Link href={at.begin} className={button.button}>
          {t("shelf.guide.go_offline")}
        </Link>
      </>
    );
  }
  if (project && run) {
    return (
      <Link href={at.run(project, run)} className={main}>
        {t("shelf.guide.go_on", { title: guide.title })}
      </Link>
    );
  }
  if (project && next === "chapter") {
    return (
      <Button
        kind="main"
        disabled={start.isPending}
        onClick={() => start.mutate({ kind: "write", project, task: { kind: "draft", chapters: ["#1"] } })}
      >
        {t("shelf.guide.write")}
      </Button>
    );
  }
  return (
    <Link href={project ? at.project(project) : at.begin} className={main}>
      {t(project ? "shelf.guide.open" : "shelf.guide.begin")}
    </Link>
  );
}
