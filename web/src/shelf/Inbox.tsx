import { useTranslation } from "react-i18next";
import { useOpenRuns } from "../api/queries";
import { ButtonLink } from "../parts/Button";
import { Card, Cards, Dim, Excerpt, Row, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { useApproverName } from "../runs/approvers";
import { at } from "../shell/places";

/** Everything that waits for a person, over all books. */
export function Inbox() {
  const { t } = useTranslation();
  const { ago } = useDates();
  const called = useApproverName();
  return (
    <Page title={t("shelf.inbox")} about={t("shelf.inbox_about")}>
      <Asked query={useOpenRuns()}>
        {(runs) => {
          const waiting = runs.filter((run) => run.status === "waiting");
          if (waiting.length === 0)
            return (
              <Empty title={t("shelf.inbox_empty")}>
                <ButtonLink href={at.shelf}>{t("shell.nav.shelf")}</ButtonLink>
              </Empty>
            );
          return (
            <Cards>
              {waiting.map((run) => (
                <Card key={run.run} href={at.run(run.project, run.run)} tone="waiting">
                  <h2>{run.title}</h2>
                  <Excerpt>{run.requirement}</Excerpt>
                  <Row>
                    <Tag>{t("shelf.status.waiting")}</Tag>
                    {run.approver && <Tag>{t("shelf.inbox_approver", { name: called(run.approver) })}</Tag>}
                    <Dim>{ago(run.ended ?? run.started)}</Dim>
                  </Row>
                </Card>
              ))}
            </Cards>
          );
        }}
      </Asked>
    </Page>
  );
}
