import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { useProjects } from "../api/queries";
import type { ProjectRow } from "../api/schema";
import button from "../parts/Button.module.css";
import { Card, Cards, Dim, Excerpt, Row, Tag } from "../parts/Card";
import { useDates } from "../parts/dates";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { at } from "../shell/places";
import { ImportButton } from "./ImportButton";
import { SampleButton } from "./SampleButton";

/** All books. */
export function Shelf() {
  const { t } = useTranslation();
  const doors = (
    <Row>
      <Link href={at.begin} className={`${button.button} ${button.main}`}>
        {t("shelf.begin")}
      </Link>
      <ImportButton />
      <SampleButton />
    </Row>
  );
  return (
    <Page title={t("shelf.title")} actions={doors}>
      <Asked query={useProjects()}>
        {(projects) =>
          projects.length === 0 ? (
            <Empty title={t("shelf.empty")}>
              <p>{t("shelf.empty_about")}</p>
            </Empty>
          ) : (
            <Cards>
              {projects.map((project) => (
                <Book key={project.project} project={project} />
              ))}
            </Cards>
          )
        }
      </Asked>
    </Page>
  );
}

function Book({ project }: { project: ProjectRow }) {
  const { t } = useTranslation();
  const { ago } = useDates();
  return (
    <Card href={at.project(project.project)}>
      <h2>{project.title}</h2>
      {project.premise !== project.title && <Excerpt>{project.premise}</Excerpt>}
      <Row>
        {project.branch && <Tag>{t("shelf.branch_of", { name: project.branch })}</Tag>}
        <Dim>{t("shelf.updated", { when: ago(project.updated) })}</Dim>
      </Row>
    </Card>
  );
}
