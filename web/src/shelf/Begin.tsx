import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { answer, http } from "../api/client";
import { changed } from "../api/queries";
import { Button } from "../parts/Button";
import { Card, Dim, Row } from "../parts/Card";
import { Select, TextArea, TextField } from "../parts/Field";
import { useOnce } from "../parts/once";
import { Page } from "../parts/Page";
import { Failed } from "../parts/states";
import { StartStops } from "../runs/StartStops";
import { NO_STOPS, startingWith } from "../runs/stops";
import { at } from "../shell/places";
import { language as spoken } from "../words";
import { useStart } from "./actions";

const OFFLINE = "offline";
/** How many directions of a new book are offered. */
const DIRECTIONS = 3;

/** A book from one sentence, or content from a template. */
export function Begin() {
  const { t } = useTranslation();
  return (
    <Page title={t("shelf.begin_title")} about={t("shelf.begin_about")}>
      <Novel />
      <Content />
    </Page>
  );
}

function Novel() {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const [requirement, require] = useState("");
  const [title, name] = useState("");
  const [language, choose] = useState<"" | "zh" | "en">("");
  const [genre, setGenre] = useState("");
  const [audience, address] = useState("");
  const [chapters, count] = useState("");
  const [stops, stop] = useState(NO_STOPS);
  const [failure, fail] = useState<unknown>();
  const start = useStart();
  const what = requirement.trim();
  const create = (directions: number) => {
    const { overrides } = startingWith(
      stops,
      directions > 0 ? { overrides: { pipeline: { directions } } } : {},
    );
    start.mutate({
      kind: "create",
      requirement: what,
      ...(title.trim() ? { title: title.trim() } : {}),
      ...(language ? { language } : {}),
      ...(genre.trim() ? { genre: genre.trim() } : {}),
      ...(audience.trim() ? { target_audience: audience.trim() } : {}),
      ...(chapters ? { chapter_count: Number(chapters) } : {}),
      ...(overrides ? { overrides } : {}),
    });
  };
  const begin = (event: FormEvent) => {
    event.preventDefault();
    create(DIRECTIONS);
  };
  const writeAlone = useOnce(async () => {
    try {
      const body = { premise: what, title: title.trim() || null, language: language || null };
      const { project } = await answer(http.POST("/api/v1/projects", { body }));
      changed(project);
      go(at.project(project));
    } catch (error) {
      fail(error);
    }
  });
  return (
    <Card>
      <form onSubmit={begin} style={{ display: "grid", gap: 14 }}>
        <TextArea
          label={t("shelf.requirement")}
          rows={5}
          value={requirement}
          placeholder={t("shelf.requirement_example")}
          onChange={(event) => require(event.target.value)}
        />
        <TextField
          label={t("shelf.title_field")}
          value={title}
          onChange={(event) => name(event.target.value)}
        />
        <Select
          label={t("shelf.language_field")}
          value={language}
          onChange={(event) => choose(event.target.value as "" | "zh" | "en")}
        >
          <option value="">{t("shelf.language_found")}</option>
          <option value="zh">{t("shelf.chinese")}</option>
          <option value="en">{t("shelf.english")}</option>
        </Select>
        <details>
          <summary>{t("shelf.outline_parameters")}</summary>
          <div style={{ display: "grid", gap: 14, marginTop: 10 }}>
            <Dim>{t("shelf.outline_parameters_about")}</Dim>
            <TextField
              label={t("shelf.genre_field")}
              value={genre}
              onChange={(event) => setGenre(event.target.value)}
            />
            <TextField
              label={t("shelf.audience_field")}
              value={audience}
              onChange={(event) => address(event.target.value)}
            />
            <TextField
              label={t("shelf.chapters_field")}
              type="number"
              min={1}
              max={2000}
              value={chapters}
              onChange={(event) => count(event.target.value)}
            />
          </div>
        </details>
        <StartStops kind="create" chosen={stops} onChange={stop} />
        <ModelNote />
        <Row>
          <Button kind="main" type="submit" disabled={what === "" || start.isPending}>
            {t("shelf.see_directions")}
          </Button>
          <Button onClick={() => create(0)} disabled={what === "" || start.isPending}>
            {t("shelf.start_at_once")}
          </Button>
          <Button onClick={writeAlone} disabled={what === "" && title.trim() === ""}>
            {t("shelf.own")}
          </Button>
        </Row>
      </form>
      {start.error && <Failed error={start.error} />}
      {failure !== undefined && <Failed error={failure} />}
    </Card>
  );
}

/** Which model will write, so that nobody wonders afterwards. */
function ModelNote() {
  const { t } = useTranslation();
  const { data: models = [] } = useQuery({
    queryKey: ["models"],
    queryFn: () => answer(http.GET("/api/v1/models")),
  });
  const serving = models.flatMap((row) => Object.values(row.roles));
  const model = serving[0];
  if (model === undefined) return null;
  return <Dim>{model.startsWith(OFFLINE) ? t("shelf.model_offline") : t("shelf.model_note", { model })}</Dim>;
}

function Content() {
  const { t } = useTranslation();
  const [premise, say] = useState("");
  const [template, choose] = useState("");
  const [stops, stop] = useState(NO_STOPS);
  const { data: templates = [] } = useQuery({
    queryKey: ["templates", spoken()],
    queryFn: () => answer(http.GET("/api/v1/templates", { params: { query: { language: spoken() } } })),
  });
  const start = useStart();
  const begin = (event: FormEvent) => {
    event.preventDefault();
    const what = { premise: premise.trim(), ...(template ? { template } : {}) };
    start.mutate({ kind: "produce", ...startingWith(stops, what) });
  };
  return (
    <Card>
      <h2>{t("shelf.produce_title")}</h2>
      <Dim>{t("shelf.produce_about")}</Dim>
      <form onSubmit={begin} style={{ display: "grid", gap: 14 }}>
        <Select label={t("shelf.template")} value={template} onChange={(event) => choose(event.target.value)}>
          {templates.map((row) => (
            <option key={row.name} value={row.name}>
              {row.title}
            </option>
          ))}
        </Select>
        <TextArea
          label={t("shelf.requirement")}
          rows={3}
          value={premise}
          onChange={(event) => say(event.target.value)}
        />
        <StartStops kind="produce" chosen={stops} onChange={stop} />
        <Row>
          <Button kind="main" type="submit" disabled={premise.trim() === "" || start.isPending}>
            {t("shelf.start")}
          </Button>
        </Row>
      </form>
      {start.error && <Failed error={start.error} />}
    </Card>
  );
}
