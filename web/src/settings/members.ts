import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { keys, queries } from "../api/queries";
import type { MemberRequest, Right } from "../api/schema";

/** The roles of members: the rights on one book, each with those before it. */
export const memberRoles = ["read", "comment", "suggest", "write", "approve"] as const satisfies Right[];

/** How recently a member's page asked something if the member is here: the server notes requests once a minute. */
const HERE = 150_000;

/** Whether a member has the studio open. */
export function isHere(lastUsed: string | null | undefined, now: number): boolean {
  return lastUsed != null && now - Date.parse(lastUsed) < HERE;
}

const ofProject = (project: string) => [...keys.project(project), "members"];

export function useMembers(project: string) {
  return useQuery({
    queryKey: ofProject(project),
    queryFn: () => answer(http.GET("/api/v1/projects/{project}/members", { params: { path: { project } } })),
    // Who is here changes by itself.
    refetchInterval: 30_000,
  });
}

/** The names of those who may be the approver of a run of the book; the owner stands first. */
export function useApprovers(project: string) {
  return useQuery({
    queryKey: [...ofProject(project), "approvers"],
    queryFn: () =>
      answer(http.GET("/api/v1/projects/{project}/approvers", { params: { path: { project } } })),
  });
}

export function useAddMember(project: string) {
  return useMutation({
    mutationFn: (request: MemberRequest) =>
      answer(
        http.POST("/api/v1/projects/{project}/members", { params: { path: { project } }, body: { request } }),
      ),
    onSuccess: () => renew(project),
  });
}

export function useChangeMember(project: string) {
  return useMutation({
    mutationFn: ({ member, role }: { member: string; role: Right }) =>
      answer(
        http.PATCH("/api/v1/projects/{project}/members/{member}", {
          params: { path: { project, member } },
          body: { role },
        }),
      ),
    onSettled: () => renew(project),
  });
}

export function useRemoveMember(project: string) {
  return useMutation({
    mutationFn: (member: string) =>
      answer(
        http.DELETE("/api/v1/projects/{project}/members/{member}", { params: { path: { project, member } } }),
      ),
    onSettled: () => renew(project),
  });
}

function renew(project: string): void {
  void queries.invalidateQueries({ queryKey: ofProject(project) });
}
