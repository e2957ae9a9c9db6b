import { expect, test } from "vitest";
import type { SettingRow } from "../api/schema";
import { isName, newServer, serversOf, settingOf } from "./mcp";

const row = (key: string, value: unknown): SettingRow => ({ key, value, layer: "user", source: null });

test("servers are gathered from their keys, and secrets stay stars", () => {
  const rows = [
    row("mcp_servers.clock.command", "uvx"),
    row("mcp_servers.clock.args", ["mcp-server-time", "--utc"]),
    row("mcp_servers.clock.env.TOKEN", "***"),
    row("mcp_servers.clock.permission", "read"),
    row("mcp_servers.far.url", "https://example.com/mcp"),
    row('mcp_servers.far.headers."x.key"', "***"),
    row("ui.language", "zh"),
  ];
  const servers = serversOf(rows);
  expect(servers).toEqual([
    {
      ...newServer,
      name: "clock",
      command: "uvx",
      args: "mcp-server-time\n--utc",
      env: "TOKEN=***",
      permission: "read",
    },
    { ...newServer, name: "far", kind: "address", url: "https://example.com/mcp", headers: "x.key: ***" },
  ]);
  expect(servers.map(settingOf)).toEqual([
    { command: "uvx", args: ["mcp-server-time", "--utc"], env: { TOKEN: "***" }, permission: "read" },
    { url: "https://example.com/mcp", headers: { "x.key": "***" }, permission: "admin" },
  ]);
});

test("a program has no address, and an address no program", () => {
  const both = {
    ...newServer,
    command: "uvx",
    url: "https://example.com",
    env: "A=1=2",
    timeout: "5",
    allow: " now \n",
  };
  expect(settingOf(both)).toEqual({
    command: "uvx",
    env: { A: "1=2" },
    permission: "admin",
    allow: ["now"],
    timeout: 5,
  });
  expect(settingOf({ ...both, kind: "address" })).toEqual({
    url: "https://example.com",
    permission: "admin",
    allow: ["now"],
    timeout: 5,
  });
});

test("names are plain", () => {
  expect(["clock", "my-clock_2", "", "a b", "a__b", "钟", "a.b"].map(isName)).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
  ]);
});
