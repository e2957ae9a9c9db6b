// The official client of the Model Context Protocol in TypeScript, over HTTP: tools, resources, prompts, a run, the end.
// usage: node mcp.mjs URL PROJECT; the packages are looked for beside this file.
import assert from "node:assert/strict";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

const [, , url, project] = process.argv;
for (const path of ["/mcp", `/mcp/${project}`]) {
  const client = new Client({ name: "test", version: "1" });
  const errors = [];
  client.onerror = (error) => errors.push(error);
  const transport = new StreamableHTTPClientTransport(new URL(url + path));
  await client.connect(transport);
  const { tools } = await client.listTools();
  assert.ok(tools.some((tool) => tool.name === "start_run"));
  const call = (name, more) => client.callTool({ name, arguments: { project_id: project, ...more } });
  const cast = await call("character_tool", { action: "list" });
  assert.ok(!cast.isError && cast.structuredContent.characters.length > 0);
  const wrong = await call("character_tool", { action: 7 });
  assert.equal(wrong.structuredContent.error.code, "invalid_arguments");
  const { resources } = await client.listResources();
  const read = await client.readResource({ uri: resources[0].uri });
  assert.ok(read.contents[0].text);
  assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 5);
  const { prompts } = await client.listPrompts();
  const filled = await client.getPrompt({ name: prompts[0].name, arguments: path === "/mcp" ? { project } : {} });
  assert.ok(filled.messages.length > 0);
  const told = [];
  const run = { name: "start_run", arguments: { kind: "task", project_id: project, requirement: "统计字数", wait_seconds: 60 } };
  const done = await client.callTool(run, undefined, { onprogress: (progress) => told.push(progress) });
  assert.equal(done.structuredContent.status, "done", JSON.stringify(done));
  await client.ping();
  assert.deepEqual(errors, []);
  await transport.terminateSession();
  await client.close();
  console.log(`${path}: ${tools.length} tools, ${resources.length} resources, ${told.length} events`);
}
