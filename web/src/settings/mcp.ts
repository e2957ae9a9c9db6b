import type { SettingRow } from "../api/schema";
import { lines, numberOf } from "./typed";

/** A server of tools as it is typed. */
export type Server = {
  name: string;
  /** Whether it is a program that is started, or an address. */
  kind: "program" | "address";
  command: string;
  args: string;
  /** `NAME=value`, one a line. */
  env: string;
  url: string;
  /** `name: value`, one a line. */
  headers: string;
  allow: string;
  permission: "read" | "write" | "admin";
  timeout: string;
};

export const newServer: Server = {
  name: "",
  kind: "program",
  command: "",
  args: "",
  env: "",
  url: "",
  headers: "",
  allow: "",
  permission: "admin",
  timeout: "",
};

/** Whether a server may be called so. */
export function isName(name: string): boolean {
  return /^[A-Za-z0-9_-]+$/.test(name) && !name.includes("__");
}

/** The servers that the settings name, as they would be typed. Secrets are stars, and stay what they are. */
export function serversOf(rows: readonly SettingRow[]): Server[] {
  const servers = new Map<string, Server>();
  for (const { key, value } of rows) {
    const [table, name, field, ...rest] = key.split(".");
    if (table !== "mcp_servers" || !name || !field) continue;
    const server = servers.get(name) ?? { ...newServer, name };
    servers.set(name, having(server, field, rest.join("."), value));
  }
  return [...servers.values()];
}

function having(server: Server, field: string, inner: string, value: unknown): Server {
  const text = Array.isArray(value) ? value.join("\n") : String(value);
  const also = (before: string, line: string) => (before === "" ? line : `${before}\n${line}`);
  switch (field) {
    case "url":
      return { ...server, kind: "address", url: text };
    case "env":
      return { ...server, env: also(server.env, `${bare(inner)}=${text}`) };
    case "headers":
      return { ...server, headers: also(server.headers, `${bare(inner)}: ${text}`) };
    case "command":
    case "args":
    case "allow":
    case "timeout":
      return { ...server, [field]: text };
    case "permission":
      return { ...server, permission: text as Server["permission"] };
    default:
      return server;
  }
}

/** A name without the quotation marks that it has in a file. */
function bare(name: string): string {
  return name.replace(/^"(.*)"$|^'(.*)'$/, "$1$2");
}

/** What was typed, as it stands in the settings. */
export function settingOf(server: Server): Record<string, unknown> {
  const { kind, permission } = server;
  const timeout = numberOf(server.timeout);
  const allow = lines(server.allow);
  const shared = {
    permission,
    ...(allow.length > 0 ? { allow } : {}),
    ...(timeout === undefined ? {} : { timeout }),
  };
  if (kind === "address") {
    const headers = pairs(server.headers, ":");
    return { url: server.url.trim(), ...(headers ? { headers } : {}), ...shared };
  }
  const args = lines(server.args);
  const env = pairs(server.env, "=");
  return {
    command: server.command.trim(),
    ...(args.length > 0 ? { args } : {}),
    ...(env ? { env } : {}),
    ...shared,
  };
}

/** Names and values, one pair a line; nothing if there are none. */
function pairs(typed: string, sign: string): Record<string, string> | undefined {
  const found = lines(typed).map((line) => {
    const at = line.indexOf(sign);
    return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
  return found.length === 0 ? undefined : Object.fromEntries(found);
}
