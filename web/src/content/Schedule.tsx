import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import type { ScheduleStatus } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim, Row } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Select, TextField } from "../parts/Field";
import { Asked, useProblemText } from "../parts/states";
import { problemOf } from "../runs/failure";
import { Status } from "../runs/Status";
import { Section } from "../settings/parts/parts";
import { Told } from "../settings/parts/Told";
import { at } from "../shell/places";
import { choices, intervals, orderFor, type Task, taskOf, useSchedule, useSetSchedule } from "./schedule";

/** When a production works by itself, on what, and what came of the last time. */
export function Schedule({ project }: { project: string }) {
  const { t } = useTranslation();
  return (
    <Section title={t("content.schedule.title")} about={t("content.schedule.about")}>
      <Asked query={useSchedule(project)}>{(status) => <Shown project={project} status={status} />}</Asked>
    </Section>
  );
}

function Shown({ project, status }: { project: string; status: ScheduleStatus }) {
  const { t } = useTranslation();
  const { when } = useDates();
  const say = useProblemText();
  const { last, next } = status;
  const isOwners = status.needed === "all_projects";
  const reason = isOwners ? t("content.schedule.owner_sets") : t("content.schedule.approver_sets");
  return (
    <>
      {next && <p>{t("content.schedule.next", { when: when(next) })}</p>}
      {last && (
        <p>
          {t("content.schedule.last", { when: when(last.at) })}{" "}
          {last.failure && t("content.schedule.refused", { message: say(problemOf(last.failure)) })}
          {last.run && <Link href={at.run(project, last.run)}>{t("content.schedule.run")}</Link>}{" "}
          {last.status && <Status status={last.status} />}
          {!last.run && !last.failure && t("content.schedule.lost")}
        </p>
      )}
      {/* A form that the server refuses is not offered. */}
      {status.needed ? <Dim>{reason}</Dim> : <Setting project={project} status={status} />}
    </>
  );
}

const tasks = ["next", "stale", "say", "other"] as const satisfies Task[];

function Setting({ project, status }: { project: string; status: ScheduleStatus }) {
  const { t } = useTranslation();
  const [every, choose] = useState(status.every ?? "");
  const [task, assign] = useState<Task>(taskOf(status.order));
  const [words, say] = useState(status.order?.do === "say" ? status.order.text : "");
  const set = useSetSchedule(project);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    set.mutate(
      every === "" ? { every: null, order: null } : { every, order: orderFor(task, words, status.order) },
    );
  };
  const nameOf = (interval: string) => {
    const name = intervals[interval as keyof typeof intervals];
    return name ? t(`content.schedule.each.${name}`) : t("content.schedule.each_other", { interval });
  };
  return (
    <form onSubmit={submit} style={{ display: "grid", gap: 12 }}>
      <Select
        label={t("content.schedule.every")}
        value={every}
        onChange={(event) => {
          set.reset();
          choose(event.target.value);
        }}
      >
        <option value="">{t("content.schedule.never")}</option>
        {choices(status.every).map((interval) => (
          <option key={interval} value={interval}>
            {nameOf(interval)}
          </option>
        ))}
      </Select>
      {every !== "" && (
        <Select
          label={t("content.schedule.task")}
          value={task}
          onChange={(event) => {
            set.reset();
            assign(event.target.value as Task);
          }}
        >
          {tasks
            .filter((one) => one !== "other" || taskOf(status.order) === "other")
            .map((one) => (
              <option key={one} value={one}>
                {t(`content.schedule.tasks.${one}`)}
              </option>
            ))}
        </Select>
      )}
      {every !== "" && task === "say" && (
        <TextField
          label={t("content.schedule.words")}
          value={words}
          onChange={(event) => {
            set.reset();
            say(event.target.value);
          }}
        />
      )}
      <Row>
        <Button
          type="submit"
          disabled={set.isPending || (every !== "" && task === "say" && words.trim() === "")}
        >
          {t("common.save")}
        </Button>
        <span role="status">{set.isSuccess && <Dim>{t("content.schedule.saved")}</Dim>}</span>
      </Row>
      <Told error={set.error} />
    </form>
  );
}
