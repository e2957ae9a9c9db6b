import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { keys } from "../api/queries";
import type { ProjectView } from "../api/story";
import { Button } from "../parts/Button";
import { Page } from "../parts/Page";
import { Empty, Failed } from "../parts/states";
import { useBook } from "./book";
import { conflictsOf } from "./conflicts";
import { EventCard } from "./EventCard";
import { EventList } from "./EventList";
import { Lanes } from "./Lanes";
import { OfBook } from "./OfBook";
import { PieceForm } from "./PieceForm";
import { Bar, Choice } from "./parts";
import {
  columnsByTelling,
  columnsByTime,
  inStoryOrder,
  type LaneKind,
  lanesOf,
  placedOf,
  spans,
  TIME_RULES,
} from "./storyTime";
import styles from "./Timeline.module.css";
import { callTool, useCheck } from "./tools";

/** What happens when, in the order of the story or of its telling. */
export default function TimelinePage({ project, rest }: { project: string; rest: string | undefined }) {
  return <OfBook project={project}>{(view) => <Found view={view} rest={rest} />}</OfBook>;
}

/** The events in time as the server works it out. */
function useOrder(project: string, most: number) {
  return useQuery({
    queryKey: [...keys.project(project), "timeline"],
    queryFn: async () =>
      placedOf(
        await callTool(project, "timeline_tool", { action: "get_timeline", limit: Math.max(1, most) }),
      ),
  });
}

function Found({ view, rest }: { view: ProjectView; rest: string | undefined }) {
  const { t } = useTranslation();
  const { project } = view.project;
  const book = useBook(view.story);
  const events = view.story.timeline_events;
  const order = useOrder(project, events.length);
  const check = useCheck(project, TIME_RULES);
  const [look, setLook] = useState<"lanes" | "list">("lanes");
  const [by, setBy] = useState<LaneKind>("people");
  const [telling, setTelling] = useState<"story" | "telling">("story");
  const [chosen, choose] = useState(rest);
  const [isAdding, setAdding] = useState(false);
  const placed = order.data;
  const sorted = useMemo(() => inStoryOrder(events, placed ?? []), [events, placed]);
  const columns = useMemo(
    () => (telling === "story" ? columnsByTime(sorted) : columnsByTelling(book, sorted)),
    [telling, sorted, book],
  );
  const lengths = useMemo(
    () => (telling === "story" ? spans(columns, placed ?? []) : new Map<string, number>()),
    [telling, columns, placed],
  );
  const lanes = useMemo(() => lanesOf(book, by, t("story.timeline.others")), [book, by, t]);
  const conflicts = useMemo(() => conflictsOf(book, check.data?.findings ?? []), [book, check.data]);
  const event = events.find(({ id }) => id === chosen);
  const shared = { book, project, columns, conflicts, chosen, onChoose: choose };
  const isEmpty = events.length === 0;
  return (
    <Page
      title={t("shell.nav.timeline")}
      isWide
      actions={
        <>
          <Choice
            label={t("story.look")}
            value={look}
            options={[
              ["lanes", t("story.timeline.lanes")],
              ["list", t("story.timeline.list")],
            ]}
            onChange={setLook}
          />
          <Button
            kind={isEmpty ? "main" : undefined}
            aria-expanded={isAdding}
            onClick={() => setAdding(!isAdding)}
          >
            {t("story.timeline.add")}
          </Button>
        </>
      }
    >
      {isAdding && (
        <PieceForm
          project={project}
          kind="event"
          book={book}
          piece={{ id: "", mode: "narrated", importance: 5 }}
          isNew
          onDone={() => setAdding(false)}
        />
      )}
      {order.error && <Failed error={order.error} onRetry={() => void order.refetch()} />}
      {isEmpty && !isAdding && (
        <Empty title={t("story.timeline.empty")}>
          <Button kind="main" onClick={() => setAdding(true)}>
            {t("story.timeline.add")}
          </Button>
        </Empty>
      )}
      {!isEmpty && (
        <>
          <Bar>
            <Choice
              label={t("story.timeline.order")}
              value={telling}
              options={[
                ["story", t("story.timeline.story_order")],
                ["telling", t("story.timeline.telling_order")],
              ]}
              onChange={setTelling}
            />
            {look === "lanes" && (
              <Choice
                label={t("story.timeline.by")}
                value={by}
                options={[
                  ["people", t("story.timeline.people")],
                  ["places", t("story.timeline.places")],
                  ["plot", t("story.timeline.plot")],
                ]}
                onChange={setBy}
              />
            )}
            <span className={styles.legend} data-conflict={conflicts.size > 0}>
              {conflicts.size > 0
                ? t("story.timeline.conflicts", { count: conflicts.size })
                : t("story.timeline.sound")}
            </span>
          </Bar>
          {event && (
            <EventCard
              key={event.id}
              project={project}
              book={book}
              event={event}
              findings={conflicts.get(event.id) ?? []}
              onClose={() => choose(undefined)}
            />
          )}
          {look === "lanes" ? <Lanes {...shared} lanes={lanes} spans={lengths} /> : <EventList {...shared} />}
        </>
      )}
    </Page>
  );
}
