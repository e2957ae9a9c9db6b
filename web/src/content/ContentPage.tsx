import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useProject } from "../api/queries";
import { Button, ButtonLink } from "../parts/Button";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { Told } from "../settings/parts/Told";
import { at } from "../shell/places";
import { Board } from "./Board";
import styles from "./ContentPage.module.css";
import { FieldPage } from "./FieldPage";
import { isAtWork, useConfirm, useOrder, useProduction, type View } from "./production";
import { Schedule } from "./Schedule";
import { Standing } from "./Standing";

/** What a production makes: its phases and fields, or one field. */
export default function ContentPage({ project, rest }: { project: string; rest: string | undefined }) {
  return (
    <Asked query={useProject(project)}>
      {(view) => (view.story.production ? <Found project={project} path={rest} /> : <NoProduction />)}
    </Asked>
  );
}

function NoProduction() {
  const { t } = useTranslation();
  return (
    <Page title={t("shell.nav.content")}>
      <Empty title={t("content.none")}>
        <p>{t("content.none_about")}</p>
        <ButtonLink href={at.begin}>{t("content.begin")}</ButtonLink>
      </Empty>
    </Page>
  );
}

function Found({ project, path }: { project: string; path: string | undefined }) {
  return (
    <Asked query={useProduction(project)}>
      {(view) => (path ? <FieldPage key={path} view={view} path={path} /> : <Whole view={view} />)}
    </Asked>
  );
}

function Whole({ view }: { view: View }) {
  const { t } = useTranslation();
  const order = useOrder(view.project);
  const confirm = useConfirm(view.project);
  const stale = view.fields.filter((field) => field.status === "stale").length;
  const isBusy = isAtWork(view) || order.isPending;
  return (
    <Page
      title={t("shell.nav.content")}
      about={t("content.about")}
      actions={
        <>
          <Link href={at.place(view.project, "export")}>{t("shell.nav.export")}</Link>
          {stale > 0 && (
            <Button kind="main" disabled={isBusy} onClick={() => order.mutate({ do: "make_stale" })}>
              {t("content.make_all_stale", { count: stale })}
            </Button>
          )}
        </>
      }
    >
      <Told error={order.error ?? confirm.error} />
      <Progress view={view} />
      <Standing view={view} />
      <Board view={view} doing={{ order, confirm }} />
      <Schedule project={view.project} />
    </Page>
  );
}

const statuses = ["confirmed", "draft", "stale", "empty"] as const;

/** How many fields stand how, as one bar and in words. */
function Progress({ view }: { view: View }) {
  const { t } = useTranslation();
  const counted = statuses.map(
    (status) => [status, view.fields.filter((field) => field.status === status).length] as const,
  );
  const said = counted.filter(([, count]) => count > 0);
  return (
    <div className={styles.progress}>
      <div className={styles.track} aria-hidden>
        {said.map(([status, count]) => (
          <i key={status} data-status={status} style={{ flexGrow: count }} />
        ))}
      </div>
      <p>
        {said.map(([status, count]) => (
          <span key={status} data-status={status}>
            {t(`content.status.${status}`)} {count}
          </span>
        ))}
      </p>
    </div>
  );
}
