import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../../api/client";
import { keys } from "../../api/queries";
import { Button } from "../../parts/Button";
import { Asked, Empty } from "../../parts/states";
import { StopTable } from "../StopTable";
import { NO_STOPS, useStops } from "../stops";
import { Section } from "./Section";

/** The steps before and after which a run stops: a choice that is sent when the run goes on. */
export function Breakpoints({ run }: { run: string }) {
  const { t } = useTranslation();
  const [isOpen, open] = useState(false);
  const id = useId();
  const query = useQuery({
    queryKey: [...keys.runs, "steps", run],
    enabled: isOpen,
    queryFn: () => stepsOf(run),
  });
  return (
    <Section title={t("runs.page.stops")} about={t("runs.page.stops_about")}>
      <Button aria-expanded={isOpen} aria-controls={id} onClick={() => open(!isOpen)}>
        {t("runs.page.stops_show")}
      </Button>
      <div id={id} hidden={!isOpen}>
        {isOpen && (
          <Asked query={query}>
            {(steps) =>
              steps.length > 0 ? (
                <Steps run={run} steps={steps} />
              ) : (
                <Empty title={t("runs.page.stops_none")} />
              )
            }
          </Asked>
        )}
      </div>
    </Section>
  );
}

/** Returns the steps of the run's graph, which every checkpoint names; none before the first checkpoint. */
async function stepsOf(run: string): Promise<string[]> {
  const [newest] = await answer(
    http.GET("/api/v1/runs/{run}/checkpoints", { params: { path: { run }, query: { limit: 1 } } }),
  );
  if (!newest) return [];
  const { checkpoint } = newest;
  const state = await answer(
    http.GET("/api/v1/runs/{run}/checkpoints/{checkpoint}", { params: { path: { run, checkpoint } } }),
  );
  return state.nodes;
}

function Steps({ run, steps }: { run: string; steps: readonly string[] }) {
  const chosen = useStops((stops) => stops.byRun[run]) ?? NO_STOPS;
  const turn = useStops((stops) => stops.turn);
  return <StopTable steps={steps} chosen={chosen} onTurn={(side, step) => turn(run, side, step)} />;
}
