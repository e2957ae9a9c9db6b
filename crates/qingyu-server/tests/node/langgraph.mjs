// The official client of LangGraph servers in JavaScript: threads, streams in every mode, a run that asks, refusals.
// usage: node langgraph.mjs URL; the packages are looked for beside this file.
import assert from "node:assert/strict";
import { Client } from "@langchain/langgraph-sdk";

const client = new Client({ apiUrl: `${process.argv[2]}/langgraph` });
const said = { messages: [{ role: "user", content: "写一个灯塔看守人的故事" }] };

async function events(stream) {
  const names = [];
  for await (const part of stream) names.push(part.event);
  return [...new Set(names)];
}

const own = crypto.randomUUID();
const thread = await client.threads.create({ threadId: own, metadata: { user: "mei" }, ifExists: "do_nothing" });
assert.equal(thread.thread_id, own);
assert.deepEqual(await events(client.runs.stream(own, "create", { input: said })), ["metadata", "values", "end"]);
for (const streamMode of ["updates", "custom", "messages-tuple", "events", "tasks", "checkpoints", "debug"]) {
  const name = streamMode === "messages-tuple" ? "messages" : streamMode;
  const seen = await events(client.runs.stream(null, "create", { input: said, streamMode }));
  assert.deepEqual(seen, ["metadata", name, "end"], streamMode);
}
const messages = await events(client.runs.stream(null, "create", { input: said, streamMode: "messages" }));
assert.ok(messages.includes("messages/partial") && messages.includes("messages/complete"), String(messages));
console.log("streamed: 9");

const state = await client.threads.getState(own);
assert.ok(state.values.characters.length > 0);
const [newest] = await client.threads.getHistory(own);
assert.deepEqual(newest.checkpoint, state.checkpoint);
const task = { messages: [{ type: "human", content: "统计字数" }] };
const run = await client.runs.create(own, "task", { input: task });
assert.ok((await client.runs.join(own, run.run_id)).output);
for (const options of [{}, { streamMode: ["values", "updates"] }, { streamMode: "updates", lastEventId: "-1" }]) {
  const seen = await events(client.runs.joinStream(own, run.run_id, options));
  assert.ok(seen.includes("updates") && seen.at(-1) === "end", String(seen));
}
assert.deepEqual((await client.runs.list(own)).map((row) => row.assistant_id), ["task", "create"]);
assert.notEqual((await client.threads.copy(own)).thread_id, own);
assert.equal((await client.threads.search({ metadata: { user: "mei" }, sortBy: "created_at" })).length, 2);
assert.deepEqual(await client.threads.search({ ids: ["p-none"] }), []);
console.log("looked at:", own);

const asks = await client.threads.create();
const waiting = await client.runs.wait(asks.thread_id, "produce", { input: said });
assert.equal(waiting.__interrupt__[0].value.asks, "turn");
const command = { resume: "写给夜里睡不着的人" };
const on = await events(client.runs.stream(asks.thread_id, "produce", { command, streamMode: ["values", "updates"] }));
assert.ok(on.includes("values"), String(on));
console.log("asked and answered:", on.length);

const stops = (await client.threads.create()).thread_id;
const stopped = await client.runs.wait(stops, "create", { input: said, interruptAfter: ["planner_agent"] });
assert.deepEqual(stopped.breakpoint.after, ["planner_agent"]);
assert.deepEqual((await client.threads.getState(stops)).next, stopped.breakpoint.next);
const edited = await client.threads.updateState(stops, { values: { user_requirement: "写一个守塔人的故事" } });
assert.equal(edited.checkpoint.checkpoint_id, stopped.run);
const ended = await client.runs.wait(stops, "create", { input: null, interruptBefore: "*" });
assert.equal(ended.run, stopped.run);
assert.ok(ended.breakpoint.before.length > 0, JSON.stringify(ended.breakpoint));
console.log("stopped and resumed:", ended.status);

for (const [status, call] of [
  [422, () => client.threads.updateState(own, { values: { a: 1 } })],
  [422, () => client.runs.wait(null, "create", { input: said, interruptBefore: ["dragon"] })],
  [422, () => client.runs.wait(own, "task", { input: task, checkpointId: "none" })],
  [422, () => client.threads.create({ ttl: 5 })],
  [404, () => client.store.putItem(["a"], "k", {})],
  [404, () => client.crons.search()],
]) {
  await assert.rejects(call, (error) => error.status === status, String(call));
}
console.log("refused: 6");
