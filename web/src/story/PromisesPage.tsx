import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Empty } from "../parts/states";
import { type Book, useBook } from "./book";
import { type Entry, ledger, type Standing } from "./ledger";
import { More } from "./More";
import { OfBook } from "./OfBook";
import { PieceForm } from "./PieceForm";
import styles from "./Promises.module.css";
import { Bar, ChapterLink, Choice } from "./parts";

/** What the reader is led to expect, and where it is kept alive and paid. */
export default function PromisesPage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

type Shown = "all" | "waiting" | "paid";
const waiting: readonly Standing[] = ["overdue", "open", "loose"];

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const [shown, show] = useState<Shown>("all");
  const [open, setOpen] = useState(rest);
  const [isAdding, setAdding] = useState(false);
  const entries = ledger(book);
  const seen = entries.filter(
    ({ standing }) => shown === "all" || waiting.includes(standing) === (shown === "waiting"),
  );
  const count = (standing: Standing) => entries.filter((entry) => entry.standing === standing).length;
  const isEmpty = entries.length === 0;
  return (
    <Page
      title={t("shell.nav.promises")}
      about={t("story.promises.about")}
      isWide
      actions={
        <Button
          kind={isEmpty ? "main" : undefined}
          aria-expanded={isAdding}
          onClick={() => setAdding(!isAdding)}
        >
          {t("story.promises.add")}
        </Button>
      }
    >
      {isAdding && (
        <PieceForm
          project={project}
          kind="promise"
          book={book}
          piece={{ id: "", importance: 5 }}
          isNew
          onDone={() => setAdding(false)}
        />
      )}
      {isEmpty && !isAdding && (
        <Empty title={t("story.promises.empty")}>
          <Button kind="main" onClick={() => setAdding(true)}>
            {t("story.promises.add")}
          </Button>
        </Empty>
      )}
      {!isEmpty && (
        <>
          <Bar>
            <Choice
              label={t("story.filter")}
              value={shown}
              options={[
                ["all", t("common.all")],
                [
                  "waiting",
                  t("story.promises.waiting", { count: count("open") + count("overdue") + count("loose") }),
                ],
                ["paid", t("story.promises.kept", { count: count("paid") + count("late") })],
              ]}
              onChange={show}
            />
            <Legend />
          </Bar>
          <More
            key={shown}
            items={seen}
            step={100}
            within={(rows) => <ol className={styles.ledger}>{rows}</ol>}
          >
            {(entry) => {
              const { id } = entry.promise;
              return (
                <li key={id} className={styles.entry} data-standing={entry.standing}>
                  <Row
                    project={project}
                    book={book}
                    entry={entry}
                    isOpen={open === id}
                    onOpen={() => setOpen(open === id ? undefined : id)}
                  />
                  {open === id && (
                    <PieceForm
                      key={id}
                      project={project}
                      kind="promise"
                      book={book}
                      piece={entry.promise}
                      name={entry.promise.name}
                      onDone={() => setOpen(undefined)}
                    />
                  )}
                </li>
              );
            }}
          </More>
        </>
      )}
    </Page>
  );
}

function Legend() {
  const { t } = useTranslation();
  return (
    <div className={styles.legend}>
      {(["planted", "advanced", "due", "paid"] as const).map((mark) => (
        <span key={mark}>
          <i data-mark={mark} />
          {t(`story.promises.${mark}`)}
        </span>
      ))}
    </div>
  );
}

type RowProps = { project: string; book: Book; entry: Entry; isOpen: boolean; onOpen: () => void };

function Row({ project, book, entry, isOpen, onOpen }: RowProps) {
  const { t } = useTranslation();
  const { promise, standing } = entry;
  return (
    <div className={styles.row}>
      <div className={styles.what}>
        <button type="button" className={styles.name} aria-expanded={isOpen} onClick={onOpen}>
          {promise.name}
        </button>
        <span className={styles.standing} data-standing={standing}>
          {t(`story.promises.standing.${standing}`)}
        </span>
        <span className={styles.weight} title={t("story.field.importance")}>
          <span className="unseen">{t("story.field.importance")} </span>
          {promise.importance}/10
        </span>
        <p>{promise.description}</p>
      </div>
      <div className={styles.chart}>
        <Chart book={book} entry={entry} />
        <Places project={project} book={book} entry={entry} />
      </div>
    </div>
  );
}

/** The same as the chart, in words that lead to the chapters. */
function Places({ project, book, entry }: Pick<RowProps, "project" | "book" | "entry">) {
  const { t } = useTranslation();
  const told = { ...entry, due: entry.due === undefined ? [] : [entry.due] };
  return (
    <div className={styles.places}>
      {(["planted", "advanced", "due", "paid"] as const)
        .filter((mark) => told[mark].length > 0)
        .map((mark) => (
          <span key={mark}>
            {t(`story.promises.${mark}`)}
            {told[mark].map((number) => (
              <ChapterLink key={number} project={project} book={book} number={number} />
            ))}
          </span>
        ))}
    </div>
  );
}

/** A promise over the chapters: a line from where it is planted to where it is paid, or still waits. */
function Chart({ book, entry }: { book: Book; entry: Entry }) {
  const { planted, advanced, due, paid } = entry;
  const all = Math.max(1, book.chapters.length);
  const across = (number: number) => `${((number - 0.5) / all) * 100}%`;
  const from = planted[0] ?? advanced[0];
  const to = paid.at(-1) ?? Math.max(book.written, due ?? 0, from ?? 0);
  const marks = [
    ...advanced.map((number) => ["advanced", number] as const),
    ...(due === undefined ? [] : [["due", due] as const]),
    ...planted.map((number) => ["planted", number] as const),
    ...paid.map((number) => ["paid", number] as const),
  ];
  return (
    <div className={styles.line} aria-hidden style={{ backgroundSize: `${100 / all}% 100%` }}>
      {from !== undefined && (
        <span
          className={styles.thread}
          data-open={paid.length === 0}
          style={{ left: across(from), right: `calc(100% - ${across(to)})` }}
        />
      )}
      {marks.map(([mark, number]) => (
        <i key={`${mark} ${number}`} data-mark={mark} style={{ left: across(number) }} />
      ))}
    </div>
  );
}
