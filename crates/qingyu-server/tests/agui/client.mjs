// The official client of AG-UI: a run that makes a story, and one that asks and is answered.
// usage: node client.mjs URL; the packages are looked for beside this file.
import assert from "node:assert/strict";
import { HttpAgent } from "@ag-ui/client";

const url = process.argv[2];

async function run(agent, parameters) {
  const types = [];
  let outcome;
  const result = await agent.runAgent(parameters, {
    onEvent: ({ event }) => void types.push(event.type),
    onRunFinishedEvent: ({ event }) => void (outcome = event.outcome),
  });
  return { types, outcome, result };
}

const writer = new HttpAgent({ url: `${url}/agui`, threadId: "made-up" });
writer.addMessage({ id: "1", role: "user", content: "写一个灯塔看守人的故事" });
const made = await run(writer, { runId: "c-1" });
assert.equal(made.outcome?.type, "success", JSON.stringify(made.types));
assert.ok(writer.state.project && writer.state.story.characters.length > 0, "the state holds the story");
assert.ok(made.types.includes("SUBAGENT_STARTED") && made.types.includes("STATE_DELTA"));
assert.equal(writer.messages.at(-1).role, "assistant");
console.log("made:", made.types.length);

// The state that comes back names the project.
writer.addMessage({ id: "2", role: "user", content: "谁看守灯塔？" });
const asked = await run(writer, { runId: "c-2", forwardedProps: { qingyu: { kind: "ask" } } });
assert.equal(asked.outcome?.type, "success");
assert.ok(writer.messages.at(-1).content.length > 0);
console.log("answered:", asked.types.length);

const producer = new HttpAgent({ url: `${url}/agui`, threadId: "a-course" });
producer.addMessage({ id: "1", role: "user", content: "一门讲灯塔的课" });
const waits = await run(producer, { runId: "c-3", forwardedProps: { qingyu: { kind: "produce" } } });
assert.equal(waits.outcome?.type, "interrupt", JSON.stringify(waits.types));
const [question] = waits.outcome.interrupts;
const resume = [{ interruptId: question.id, status: "resolved", payload: "写给夜里睡不着的人" }];
const on = await run(producer, { runId: "c-4", resume });
assert.ok(["interrupt", "success"].includes(on.outcome?.type), JSON.stringify(on.types));
console.log("asked and answered:", on.types.length);
