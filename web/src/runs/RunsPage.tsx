import { RunList } from "./page/RunList";
import { RunPage } from "./page/RunPage";

/** All runs of a project, or one of them. */
export default function RunsPage({ project, rest }: { project: string; rest: string | undefined }) {
  const run = rest?.split("/")[0];
  if (!run) return <RunList project={project} />;
  const name = decodeURIComponent(run);
  return <RunPage key={name} project={project} run={name} />;
}
