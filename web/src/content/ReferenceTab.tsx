import { useMutation } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import type { ChapterStructure, Genre, Structure, Teardown } from "../api/schema";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { TextField } from "../parts/Field";
import { base64 } from "../parts/files";
import { useNumbers } from "../parts/numbers";
import { Bars, Figures, Section, Table } from "../settings/parts/parts";
import { Told } from "../settings/parts/Told";
import { More } from "../story/More";
import styles from "./Export.module.css";
import { Columns } from "./FiguresTab";
import { isGenreName, named } from "./reference";

const STEP = 100;
const MOST_PEOPLE = 4;
const TENSEST = 10;

/** The genre made from a structure has this name until the author gives it another. */
const UNNAMED = "reference";

/** Takes a file apart, and makes a genre from its structure. */
async function tearDown(file: File): Promise<Teardown> {
  const request = { name: file.name, bytes: await base64(file), genre: UNNAMED };
  // The types of the client forget how many numbers a pair has.
  return (await answer(http.POST("/api/v1/texts/structure", { body: { request } }))) as Teardown;
}

/** The reference that was taken apart last. */
export function useReference() {
  return useMutation({ mutationFn: tearDown });
}

type Props = { reference: ReturnType<typeof useReference> };

/** A reference book as its structure: how long, how tense, how it opens and ends, and what that rests on; kept as a genre. */
export function ReferenceTab({ reference: tear }: Props) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Section title={t("content.reference.title")} about={t("content.reference.about")}>
        <div className={styles.acts}>
          <Button kind="main" disabled={tear.isPending} onClick={() => input.current?.click()}>
            {t("content.reference.choose")}
          </Button>
          <span role="status">{tear.isPending && t("content.reference.reading")}</span>
        </div>
        <input
          ref={input}
          type="file"
          accept=".txt,.md,.markdown,.docx,.odt,.rtf,.epub,.html,.htm,.xhtml"
          hidden
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            if (chosen) tear.mutate(chosen);
            event.target.value = "";
          }}
        />
        <Told error={tear.error} />
      </Section>
      {tear.data && (
        <>
          <Course torn={tear.data} />
          {tear.data.genre && <Keep key={tear.submittedAt} made={tear.data.genre} />}
          <Chapters chapters={tear.data.structure.chapters} />
          <Basis structure={tear.data.structure} />
        </>
      )}
    </>
  );
}

const percent = (share: number) => `${Math.round(share * 100)} %`;

function Course({ torn: { title, structure, warnings } }: { torn: Teardown }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const { cadence, chapters, arcs } = structure;
  const [least, most] = cadence.chapter_words;
  return (
    <>
      <Section title={title}>
        {warnings.length > 0 && (
          <p className={styles.warning}>{t("content.reference.warnings", { count: warnings.length })}</p>
        )}
        <Figures
          told={[
            [t("content.figures.length"), whole(structure.length)],
            [t("content.reference.chapters"), whole(chapters.length)],
            [t("content.reference.chapter_words"), `${whole(least)}–${whole(most)}`],
            [t("content.reference.payoff_every"), cadence.payoff_every?.toFixed(1)],
            [t("content.reference.climax_every"), cadence.climax_every?.toFixed(1)],
            [t("content.reference.pulling"), percent(cadence.pulling)],
          ]}
        />
      </Section>
      <Section title={t("content.reference.tension")} about={t("content.reference.tension_about")}>
        <Columns
          label={t("content.reference.tension")}
          amounts={chapters.map(({ tension }) => tension)}
          most={TENSEST}
        />
      </Section>
      <div className={styles.two}>
        <Section title={t("content.reference.openings")}>
          <Bars
            bars={cadence.openings.map(({ kind, count }) => ({
              name: t(`content.reference.opening.${kind}`),
              amount: count,
              told: whole(count),
            }))}
          />
        </Section>
        <Section title={t("content.reference.endings")}>
          <Bars
            bars={cadence.endings.map(({ kind, count }) => ({
              name: t(`content.reference.ending.${kind}`),
              amount: count,
              told: whole(count),
            }))}
          />
        </Section>
        <Section title={t("content.reference.arcs")}>
          <ul>
            {arcs.map(({ from, to, peak, tension, payoffs }) => (
              <li key={from}>{t("content.reference.arc", { from, to, peak, tension, payoffs })}</li>
            ))}
          </ul>
        </Section>
      </div>
    </>
  );
}

/** Saves the genre that was made from the structure. */
function Keep({ made }: { made: Genre }) {
  const { t } = useTranslation();
  const hint = useId();
  const [name, write] = useState("");
  const [isReplaced, replace] = useState(false);
  const keep = useMutation({
    mutationFn: () => {
      const content = named(made, name);
      const params = { path: { genre: content.id } };
      return answer(http.PUT("/api/v1/genres/{genre}", { params, body: { content, replace: isReplaced } }));
    },
  });
  const isBad = name.trim() !== "" && !isGenreName(name);
  return (
    <Section title={t("content.reference.keep")} about={t("content.reference.keep_about")}>
      <form
        className={styles.acts}
        onSubmit={(event) => {
          event.preventDefault();
          keep.mutate();
        }}
      >
        <div>
          <TextField
            label={t("content.reference.name")}
            value={name}
            maxLength={40}
            aria-describedby={hint}
            aria-invalid={isBad}
            onChange={(event) => write(event.target.value)}
          />
          <small id={hint}>{t("content.reference.name_rule")}</small>
        </div>
        <label>
          <input type="checkbox" checked={isReplaced} onChange={() => replace(!isReplaced)} />{" "}
          {t("content.reference.replace")}
        </label>
        <Button type="submit" disabled={keep.isPending || !isGenreName(name)}>
          {t("content.reference.save")}
        </Button>
      </form>
      <p role="status">{keep.data && t("content.reference.saved", { name: keep.data.genre.name })}</p>
      <Told error={keep.error} />
    </Section>
  );
}

function Chapters({ chapters }: { chapters: readonly ChapterStructure[] }) {
  const { t } = useTranslation();
  const names = [
    "number",
    "heading",
    "length",
    "dialogue",
    "tension",
    "function",
    "opens",
    "ends",
    "turns",
    "people",
  ] as const;
  const head = (
    <tr>
      {names.map((name) => (
        <th key={name} scope="col">
          {t(`content.reference.column.${name}`)}
        </th>
      ))}
    </tr>
  );
  return (
    <Section title={t("content.reference.by_chapter")}>
      <More
        items={chapters}
        step={STEP}
        within={(shown) => (
          <Table label={t("content.reference.by_chapter")} head={head}>
            {shown}
          </Table>
        )}
      >
        {(chapter) => <Row key={chapter.number} chapter={chapter} />}
      </More>
    </Section>
  );
}

function Row({ chapter }: { chapter: ChapterStructure }) {
  const { t } = useTranslation();
  const { whole } = useNumbers();
  const comma = t("content.reference.comma");
  const { number, title, length, dialogue, tension, opens, ends, turns, stage } = chapter;
  return (
    <tr>
      <td>{number}</td>
      <td>{title}</td>
      <td>{whole(length)}</td>
      <td>{percent(dialogue)}</td>
      <td>{tension}</td>
      <td>{t(`content.reference.function.${chapter.function}`)}</td>
      <td>{opens && t(`content.reference.opening.${opens}`)}</td>
      <td>{ends && t(`content.reference.ending.${ends}`)}</td>
      <td>{turns.map(({ kind, count }) => `${t(`content.reference.turn.${kind}`)} ${count}`).join(comma)}</td>
      <td>
        {stage
          .slice(0, MOST_PEOPLE)
          .map(({ name }) => name)
          .join(comma)}
      </td>
    </tr>
  );
}

/** What each figure rests on: guesses are said to be guesses. */
function Basis({ structure }: { structure: Structure }) {
  const { t } = useTranslation();
  return (
    <Section title={t("content.reference.basis")}>
      <ul>
        {structure.basis.map(({ figure, by, observations }) => (
          <li key={figure}>
            {t(`content.reference.figure.${figure}`)}{" "}
            <Dim>
              {t(`content.reference.by.${by}`)} · {observations}
            </Dim>
          </li>
        ))}
      </ul>
    </Section>
  );
}
