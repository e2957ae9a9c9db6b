import { useMutation } from "@tanstack/react-query";
import { useMemo, useRef } from "react";
import { answer, http } from "../api/client";
import { changed, keys, queries } from "../api/queries";
import type { OutlineNodeKind } from "../api/schema";
import type { OutlineNode, ProjectView, Story } from "../api/story";
import { lengthOfText } from "../write/count";
import { misplaced } from "./outline";
import { callTool } from "./tools";

/** How long each text is, as the editor counts it. */
export function useLengths({ documents, language }: Story): (document: string) => number | undefined {
  return useMemo(() => {
    const lengths = new Map(documents.map((document) => [document.id, lengthOfText(document, language)]));
    return (document) => lengths.get(document);
  }, [documents, language]);
}

/**
 * Puts the outline into another order, one step after the other. It is shown at once, and taken back if the server does
 * not take it; prose follows its chapters.
 */
export function useOrder(view: ProjectView) {
  const { project } = view.project;
  const made = useRef(0);
  const mutationKey = [...keys.project(project), "order"];
  return useMutation({
    mutationKey,
    scope: { id: `outline-${project}` },
    onMutate: async (outline_nodes: OutlineNode[]) => {
      await queries.cancelQueries({ queryKey: keys.view(project) });
      queries.setQueryData<ProjectView>(keys.view(project), (held) =>
        held ? { ...held, story: { ...held.story, outline_nodes } } : held,
      );
    },
    mutationFn: async (items: OutlineNode[]) => {
      const version = Math.max(made.current, view.project.version);
      const params = { path: { project }, header: { "If-Match": `"${version}"` } };
      const put = await answer(http.PUT("/api/v1/projects/{project}/outline", { params, body: { items } }));
      made.current = put.version;
      const places = misplaced({ ...view.story, outline_nodes: items });
      if (places.length === 0) return;
      const operations = places.map(({ document, order }) => ({
        action: "update",
        document_id: document,
        order,
      }));
      const told = await callTool(project, "document_tool", { action: "batch", operations });
      if (typeof told.version === "number") made.current = told.version;
    },
    onSettled: () => {
      if (queries.isMutating({ mutationKey }) <= 1) changed(project);
    },
  });
}

/** Adds a node behind another, or at the end. */
export function useAddNode(project: string) {
  return useMutation({
    mutationFn: ({ name, kind, parent, after }: NewNode) =>
      callTool(project, "outline_tool", {
        action: "create",
        outline_data: { name, kind, parent: parent ?? null },
        ...(after === undefined ? {} : { after }),
      }),
    onSuccess: () => changed(project),
  });
}

export type NewNode = { name: string; kind: OutlineNodeKind; parent?: string; after?: string };
