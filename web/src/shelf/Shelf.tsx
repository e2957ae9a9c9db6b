import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useProjects } from "../api/queries";
import type { ProjectStatus } from "../api/schema";
import { ButtonLink } from "../parts/Button";
import { Cards, Dim, Row } from "../parts/Card";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { at } from "../shell/places";
import { BlankBook } from "./BlankBook";
import { Book } from "./Book";
import { Guide } from "./Guide";
import { ImportButton } from "./ImportButton";
import { SampleButton } from "./SampleButton";
import styles from "./Shelf.module.css";

const PLACES: readonly ProjectStatus[] = ["active", "archived", "binned"];

/** All books: those on the shelf, in the archive, in the bin. */
export function Shelf() {
  const { t } = useTranslation();
  const [place, look] = useState<ProjectStatus>("active");
  const doors = (
    <Row>
      <ButtonLink href={at.begin}>{t("shelf.begin")}</ButtonLink>
      <BlankBook />
      <ImportButton />
      <SampleButton />
    </Row>
  );
  return (
    <Page title={t("shelf.title")} actions={doors}>
      <Guide />
      <fieldset className={styles.places}>
        <legend className="unseen">{t("shelf.places")}</legend>
        {PLACES.map((one) => (
          <button key={one} type="button" aria-pressed={one === place} onClick={() => look(one)}>
            {t(`shelf.place.${one}`)}
          </button>
        ))}
      </fieldset>
      <Books key={place} place={place} />
    </Page>
  );
}

function Books({ place }: { place: ProjectStatus }) {
  const { t } = useTranslation();
  return (
    <Asked query={useProjects(place)}>
      {(projects) => {
        if (projects.length > 0) {
          return (
            <Cards>
              {projects.map((project) => (
                <Book key={project.project} project={project} />
              ))}
            </Cards>
          );
        }
        if (place !== "active") return <Dim>{t(`shelf.none.${place}`)}</Dim>;
        return (
          <Empty title={t("shelf.empty")}>
            <p>{t("shelf.empty_about")}</p>
            <ButtonLink href={at.begin}>{t("shelf.begin")}</ButtonLink>
          </Empty>
        );
      }}
    </Asked>
  );
}
