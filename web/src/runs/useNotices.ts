import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "wouter";
import { useOpenRuns } from "../api/queries";
import type { RunRow } from "../api/schema";
import { at } from "../shell/places";
import { hasNotices, newsBetween } from "./news";

/** Tells by the browser that a run waits or is over, while the page is not looked at. */
export function useNotices(): void {
  const { t } = useTranslation();
  const [, go] = useLocation();
  const { data } = useOpenRuns(hasNotices());
  const last = useRef<readonly RunRow[]>([]);
  useEffect(() => {
    if (!data) return;
    const news = newsBetween(last.current, data);
    last.current = data;
    if (!document.hidden || !hasNotices()) return;
    for (const { run, is } of news) {
      const body = run.requirement.slice(0, 120);
      const notice = new Notification(t(`runs.notice.${is}`, { title: run.title }), { body, tag: run.run });
      notice.onclick = () => {
        window.focus();
        go(at.run(run.project, run.run));
        notice.close();
      };
    }
  }, [data, go, t]);
}
