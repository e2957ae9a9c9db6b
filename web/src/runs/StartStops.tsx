import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { RunKind } from "../api/schema";
import { Dim } from "../parts/Card";
import { Asked } from "../parts/states";
import { StopTable } from "./StopTable";
import { type Stops, turned } from "./stops";

type Given = { kind: RunKind; chosen: Stops; onChange(stops: Stops): void };

/** The steps at which a run stops, chosen before it is started. */
export function StartStops({ kind, chosen, onChange }: Given) {
  const { t } = useTranslation();
  const [isOpen, open] = useState(false);
  const query = useQuery({
    queryKey: [...keys.runs, "nodes", kind],
    enabled: isOpen,
    queryFn: () => answer(http.GET("/api/v1/nodes", { params: { query: { kind } } })),
  });
  return (
    <details onToggle={(event) => open(event.currentTarget.open)}>
      <summary>{t("runs.page.stops")}</summary>
      <div style={{ display: "grid", gap: 10, marginTop: 10 }}>
        <Dim>{t("runs.page.stops_before_start")}</Dim>
        {isOpen && (
          <Asked query={query}>
            {(steps) => (
              <StopTable
                steps={steps}
                chosen={chosen}
                onTurn={(side, step) => onChange(turned(chosen, side, step))}
              />
            )}
          </Asked>
        )}
      </div>
    </details>
  );
}
