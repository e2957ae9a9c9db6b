import { type ComponentType, lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Redirect, Route, Switch, useRoute } from "wouter";
import { ButtonLink } from "./parts/Button";
import { Guard } from "./parts/Guard";
import { Empty, Loading } from "./parts/states";
import { Begin } from "./shelf/Begin";
import { Inbox } from "./shelf/Inbox";
import { Shelf } from "./shelf/Shelf";
import { at } from "./shell/places";
import { Studio } from "./shell/Studio";

/** A page of a project; what of the address comes after the page's name is `rest`. */
export type ProjectPage = ComponentType<{ project: string; rest: string | undefined }>;

/** Every page of a project by its place in the address, each loaded when it is first opened. */
const pages: [string, ProjectPage][] = [
  ["", lazy(() => import("./shelf/Overview"))],
  ["write", lazy(() => import("./write/WritePage"))],
  ["runs", lazy(() => import("./runs/RunsPage"))],
  ["outline", lazy(() => import("./story/OutlinePage"))],
  ["lanes", lazy(() => import("./story/LanesPage"))],
  ["characters", lazy(() => import("./story/CharactersPage"))],
  ["relations", lazy(() => import("./story/RelationsPage"))],
  ["timeline", lazy(() => import("./story/TimelinePage"))],
  ["world", lazy(() => import("./story/WorldPage"))],
  ["ladders", lazy(() => import("./story/LaddersPage"))],
  ["promises", lazy(() => import("./story/PromisesPage"))],
  ["knowledge", lazy(() => import("./story/KnowledgePage"))],
  ["encyclopedia", lazy(() => import("./story/EncyclopediaPage"))],
  ["search", lazy(() => import("./story/SearchPage"))],
  ["findings", lazy(() => import("./story/FindingsPage"))],
  ["content", lazy(() => import("./content/ContentPage"))],
  ["export", lazy(() => import("./content/ExportPage"))],
  ["settings", lazy(() => import("./settings/SettingsPage"))],
];

const GlobalSettings = lazy(() => import("./settings/SettingsPage"));

export function App() {
  const { t } = useTranslation();
  const [isProject, params] = useRoute("/p/:project/*?");
  const project = isProject ? params.project : undefined;
  return (
    <Studio project={project}>
      <Suspense fallback={<Loading />}>
        <Switch>
          <Route path={at.shelf}>
            <Shelf />
          </Route>
          <Route path={at.begin}>
            <Begin />
          </Route>
          <Route path={at.inbox}>
            <Inbox />
          </Route>
          <Route path={at.settings}>
            <GlobalSettings project="" rest={undefined} />
          </Route>
          {pages.map(([place, Page]) => (
            <Route key={place} path={place === "" ? "/p/:project" : `/p/:project/${place}/*?`}>
              {(found: { project: string; "*"?: string }) => (
                <Guard place={`${found.project}/${place}/${found["*"] ?? ""}`}>
                  <Page key={found.project} project={found.project} rest={found["*"]} />
                </Guard>
              )}
            </Route>
          ))}
          <Route path="/index.html">
            <Redirect to={at.shelf} replace />
          </Route>
          <Route>
            <Empty title={t("shell.missing")}>
              <ButtonLink href={at.shelf}>{t("shell.nav.shelf")}</ButtonLink>
            </Empty>
          </Route>
        </Switch>
      </Suspense>
    </Studio>
  );
}
