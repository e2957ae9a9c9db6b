import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/queries";
import type { SearchRequest } from "../api/schema";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Dim } from "../parts/Card";
import { Select } from "../parts/Field";
import { Page } from "../parts/Page";
import { Asked, Empty } from "../parts/states";
import { SeriesSwitch } from "../settings/SeriesSwitch";
import { useBook } from "./book";
import { OfBook } from "./OfBook";
import styles from "./Search.module.css";
import { SearchHit } from "./SearchHit";
import { search } from "./search";

/** Finds passages and pieces by words and by meaning. */
export default function SearchPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

const kinds = [
  "chapter",
  "character",
  "location",
  "organisation",
  "item",
  "event",
  "fact",
  "promise",
  "world_rule",
] as const;
const MOST = 20;

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const [typed, type] = useState(rest ? decodeURIComponent(rest) : "");
  const [text, setText] = useState(typed);
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set());
  const [before, setBefore] = useState("");
  const [series, reach] = useState(false);
  const [limit, setLimit] = useState(MOST);
  const request: SearchRequest = {
    text,
    limit,
    kinds: [...chosen],
    rerank: false,
    series,
    ...(before === "" ? {} : { before: Number(before) }),
  };
  const query = useQuery({
    queryKey: [...keys.project(project), "search", request],
    queryFn: () => search(project, request),
    enabled: text !== "",
    placeholderData: (held) => held,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setLimit(MOST);
    setText(typed.trim());
  };
  const turn = (kind: string) => {
    const next = new Set(chosen);
    if (!next.delete(kind)) next.add(kind);
    choose(next);
  };
  return (
    <Page title={t("shell.nav.search")} about={t("story.search.about")}>
      <search>
        <form className={styles.form} onSubmit={submit}>
          <input
            type="search"
            aria-label={t("story.search.words")}
            placeholder={t("story.search.placeholder")}
            value={typed}
            onChange={(event) => type(event.target.value)}
          />
          <Button kind="main" type="submit" disabled={typed.trim() === ""}>
            {t("common.search")}
          </Button>
        </form>
        <div className={styles.filters}>
          <fieldset>
            <legend className="unseen">{t("story.search.kinds")}</legend>
            {kinds.map((kind) => (
              <Button key={kind} aria-pressed={chosen.has(kind)} onClick={() => turn(kind)}>
                {t(`story.search.kind.${kind}`)}
              </Button>
            ))}
          </fieldset>
          {book.chapters.length > 0 && (
            <Select
              label={t("story.search.before")}
              value={before}
              onChange={(event) => setBefore(event.target.value)}
            >
              <option value="">{t("story.search.whole")}</option>
              {book.chapters.map(({ number, title }) => (
                <option key={number} value={number}>
                  {title}
                </option>
              ))}
            </Select>
          )}
          <SeriesSwitch project={project} label={t("story.search.series")} isOn={series} onChange={reach} />
        </div>
      </search>
      {text === "" && <Empty title={t("story.search.start")} />}
      {text !== "" && (
        <Asked query={query}>
          {({ hits, names }) => (
            <>
              <p role="status" className={styles.sum}>
                {t("story.search.found", { count: hits.length })}
                {names.length > 0 && <Dim> · {t("story.search.names", { names: names.join(", ") })}</Dim>}
              </p>
              {hits.length === 0 && <Empty title={t("story.search.nothing")} />}
              <ol className={styles.hits}>
                {hits.map((hit) => (
                  <SearchHit
                    key={`${hit.book?.project ?? ""} ${hit.chunk.source.kind} ${hit.chunk.source.id} ${hit.chunk.part}`}
                    project={project}
                    book={book}
                    hit={hit}
                  />
                ))}
              </ol>
              {hits.length === limit && (
                <div>
                  <Button onClick={() => setLimit(limit + MOST)} disabled={query.isFetching}>
                    {t("common.more")}
                  </Button>
                </div>
              )}
            </>
          )}
        </Asked>
      )}
    </Page>
  );
}
