import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { answer, http } from "../api/client";
import { keys } from "../api/queries";
import type { Finding } from "../api/schema";
import { findingLayer } from "./layer";
import styles from "./Prose.module.css";
import { findingsOf, type Quoted, quotedIn } from "./quotes";
import { positionAt, textOf } from "./text";
import type { Editing } from "./useEditing";

export type FoundHere = {
  findings: readonly Finding[];
  /** Where their words stand in the text. */
  quoted: readonly Quoted[];
  /** The one that is looked at. */
  seen: string | undefined;
  look(finding: string | undefined): void;
  /** Selects the words of a finding and brings them into sight. */
  locate(finding: string): void;
  /** Goes to the next one, or the one before; not if there is none. */
  step(by: 1 | -1): boolean;
};

/** What the checker finds in a chapter: of the whole story at first, then what each save tells. */
export function useFindings(editing: Editing, project: string, document: string): FoundHere {
  const { editor, queue, text, saved } = editing;
  const [seen, look] = useState<string>();
  const check = useQuery({
    queryKey: [...keys.project(project), "check"],
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/check", { params: { path: { project } } })),
    staleTime: 30_000,
  });
  const told =
    saved && saved.at >= check.dataUpdatedAt ? saved.answer.findings : (check.data?.findings ?? NONE);
  const findings = useMemo(() => findingsOf(text, document, told), [text, document, told]);
  const quoted = useMemo(() => quotedIn(text, document, findings), [text, document, findings]);

  useEffect(() => {
    const marks = quoted.map(({ finding, severity, from, to }) => ({
      from,
      to,
      attributes: {
        class: `${styles.finding}${finding === seen ? ` ${styles.seen}` : ""}`,
        "data-finding": finding,
        "data-severity": severity,
      },
    }));
    // Another scan follows if the author has written on.
    queue.push((state) => (textOf(state.doc) === text ? findingLayer.draw(state, marks) : null));
  }, [quoted, seen, text, queue]);

  const locate = (finding: string) => {
    look(finding);
    queue.whenStill(() => {
      const now = textOf(editor.state.doc);
      const place = quotedIn(now, document, findings).find((quote) => quote.finding === finding);
      if (!place) return;
      editor.commands.setTextSelection({ from: positionAt(now, place.from), to: positionAt(now, place.to) });
      editor.commands.focus(undefined, { scrollIntoView: false });
      const words = editor.view.dom.querySelector(`[data-finding="${CSS.escape(finding)}"]`);
      words?.scrollIntoView({ block: "center", behavior: "smooth" });
    });
  };
  const step = (by: 1 | -1) => {
    const order = [...new Set([...quoted].sort((a, b) => a.from - b.from).map(({ finding }) => finding))];
    if (order.length === 0) return false;
    const at = seen === undefined ? -1 : order.indexOf(seen);
    const next = order[at === -1 && by === -1 ? order.length - 1 : (at + by + order.length) % order.length];
    if (next !== undefined) locate(next);
    return true;
  };
  return { findings, quoted, seen, look, locate, step };
}

const NONE: readonly Finding[] = [];
