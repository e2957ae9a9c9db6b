import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { CharacterPanel, PanelRow } from "../api/schema";
import { ButtonLink } from "../parts/Button";
import { Dim, Tag } from "../parts/Card";
import { Select } from "../parts/Field";
import { Empty } from "../parts/states";
import { at } from "../shell/places";
import type { Book } from "./book";
import styles from "./Ladders.module.css";
import { PanelFindings, Says } from "./PanelParts";
import { type LadderFindings, sections, shownValue } from "./panels";
import { Section } from "./parts";

type Props = {
  project: string;
  book: Book;
  panels: readonly CharacterPanel[];
  findings: LadderFindings;
  /** Whose panel is shown at first; the first with one by default. */
  first: string | undefined;
};

/** The panel of somebody: steps, attributes, resources and skills, each with its sentences. */
export function PanelView({ project, book, panels, findings, first }: Props) {
  const { t } = useTranslation();
  const [chosen, choose] = useState(first);
  const names = [...new Set([...panels.map(({ who }) => who), ...findings.people.keys()])];
  if (chosen !== undefined && !names.includes(chosen)) names.unshift(chosen);
  const who = chosen ?? names[0];
  const panel = panels.find((each) => each.who === who);
  return (
    <div className={styles.ladders}>
      {who === undefined ? (
        <Empty title={t("story.ladders.panels_none")}>
          <ButtonLink href={at.place(project, "write")}>{t("shell.nav.write")}</ButtonLink>
        </Empty>
      ) : (
        <>
          <div className={styles.who}>
            <Select
              label={t("story.ladders.who")}
              value={who}
              onChange={(event) => choose(event.target.value)}
            >
              {names.map((name) => (
                <option key={name}>{name}</option>
              ))}
            </Select>
          </div>
          {panel === undefined && <Dim>{t("story.ladders.panel_none")}</Dim>}
          {panel !== undefined &&
            sections(panel).map(([kind, rows]) => (
              <Section key={kind} title={t(`story.ladders.rows.${kind}`)}>
                <dl className={styles.rows}>
                  {rows.map((row) => (
                    <Value key={row.key + row.mode} project={project} book={book} row={row} />
                  ))}
                </dl>
              </Section>
            ))}
          <PanelFindings key={who} project={project} book={book} findings={findings.people.get(who) ?? []} />
        </>
      )}
      <PanelFindings
        project={project}
        book={book}
        findings={findings.others}
        title={t("story.ladders.others", { count: findings.others.length })}
      />
    </div>
  );
}

function Value({ project, book, row }: { project: string; book: Book; row: PanelRow }) {
  const { t } = useTranslation();
  return (
    <div>
      <dt>{row.key}</dt>
      <dd>
        <strong>{shownValue(row)}</strong>{" "}
        {row.mode !== "narrated" && <Tag>{t(`story.mode.${row.mode}`)}</Tag>}
        <Says project={project} book={book} says={row.says} />
      </dd>
    </div>
  );
}
