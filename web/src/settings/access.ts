import { useMutation, useQuery } from "@tanstack/react-query";
import { answer, http } from "../api/client";
import { Problem } from "../api/problem";
import { queries } from "../api/queries";
import type { KeyRequest, Right, UserRequest } from "../api/schema";

/** What somebody may do; each right holds those before it. */
export const rights = ["read", "comment", "suggest", "write", "approve", "admin"] as const satisfies Right[];

const KEYS = ["access", "keys"] as const;
const USERS = ["access", "users"] as const;

export function useKeys() {
  return useQuery({ queryKey: KEYS, queryFn: () => answer(http.GET("/api/v1/keys")) });
}

export function useUsers() {
  return useQuery({ queryKey: USERS, queryFn: () => answer(http.GET("/api/v1/users")) });
}

export function useAddUser() {
  return useMutation({
    mutationFn: (request: UserRequest) => answer(http.POST("/api/v1/users", { body: { request } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: USERS }),
  });
}

/** Whether a user may have this id. */
export function isUserId(id: string): boolean {
  return /^[a-z0-9][a-z0-9._-]{0,63}$/.test(id);
}

export function useMakeKey() {
  return useMutation({
    mutationFn: (request: KeyRequest) => answer(http.POST("/api/v1/keys", { body: { request } })),
    onSuccess: () => void queries.invalidateQueries({ queryKey: KEYS }),
  });
}

export function useRevokeKey() {
  return useMutation({
    mutationFn: (key: string) => answer(http.DELETE("/api/v1/keys/{key}", { params: { path: { key } } })),
    onSettled: () => void queries.invalidateQueries({ queryKey: KEYS }),
  });
}

/** Whether a server has no users and keys to offer. */
export function isNotOffered(error: unknown): boolean {
  return error instanceof Problem && error.status === 404;
}

/** The end of a day as a point in time; nothing for no day. */
export function endOf(day: string): string | undefined {
  return day === "" ? undefined : new Date(`${day}T23:59:59`).toISOString();
}
