import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import { Problem } from "../api/problem";
import { at } from "../shell/places";
import { Button } from "./Button";
import { fixOf, wordingOf } from "./problems";
import styles from "./states.module.css";

/** Nothing is there yet: one sentence, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.state}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}

/** Bars in the place of what is on its way; they show after 150 ms. */
export function Loading({ lines = 4 }: { lines?: number }) {
  const { t } = useTranslation();
  const widths = Array.from({ length: lines }, (_, line) => `${88 - ((line * 23) % 40)}%`);
  return (
    <div className={styles.bars} role="status" aria-label={t("common.loading")}>
      {widths.map((width) => (
        <span key={width} style={{ width }} />
      ))}
    </div>
  );
}

/** Returns a function that describes an error and its remedy in the reader's language. */
export function useProblemText(): (error: unknown) => string {
  const { t, i18n } = useTranslation();
  return (error) => t(wordingOf(error, (key) => i18n.exists(key)) as "problem.other");
}

/** A link to the setting that helps, and on demand the server's message for a report. */
export function ProblemHelp({ error }: { error: unknown }) {
  const { t } = useTranslation();
  const fix = fixOf(error);
  const message = error instanceof Error ? error.message : String(error);
  const request = error instanceof Problem ? error.request : undefined;
  const isOffline = error instanceof Problem && error.code === "no_connection";
  return (
    <>
      {fix && <Link href={`${at.settings}#${fix}`}>{t(`problem.fix.${fix}`)}</Link>}
      {!isOffline && (message !== "" || request) && (
        <details>
          <summary>{t("problem.details")}</summary>
          <small>
            {message} {request && t("problem.request", { id: request })}
          </small>
        </details>
      )}
    </>
  );
}

/** An error with its remedy, and a button to try again. */
export function Failed({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { t } = useTranslation();
  const say = useProblemText();
  return (
    <div className={styles.failed} role="alert">
      <p>{say(error)}</p>
      <ProblemHelp error={error} />
      {onRetry && <Button onClick={onRetry}>{t("common.retry")}</Button>}
    </div>
  );
}

type Query<T> = { data: T | undefined; error: unknown; isPending: boolean; refetch: () => unknown };

/** What a query has: what it holds while it holds something, else how it stands. */
export function Asked<T>({ query, children }: { query: Query<T>; children: (data: T) => ReactNode }) {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <Failed error={query.error} onRetry={() => void query.refetch()} />;
  return <Loading />;
}
