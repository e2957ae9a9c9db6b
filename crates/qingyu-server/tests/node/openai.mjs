// The official client of chat completions in JavaScript: an answer with its sources, streams, refusals.
// usage: node openai.mjs URL PROJECT; the packages are looked for beside this file.
import assert from "node:assert/strict";
import OpenAI from "openai";

const [, , url, project] = process.argv;
const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
const model = `qingyu@${project}`;
const messages = [{ role: "user", content: "林青推开了什么？" }];

const names = [];
for await (const card of client.models.list()) names.push(card.id);
assert.ok(names.includes(model), String(names));

const whole = await client.chat.completions.create({ model, messages });
const [choice] = whole.choices;
assert.equal(choice.finish_reason, "stop");
assert.equal(choice.message.annotations[0].type, "url_citation");
console.log("answered:", choice.message.content.length);

let words = "";
for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) {
  words += chunk.choices[0]?.delta.content ?? "";
}
assert.equal(words, choice.message.content);
assert.equal(await client.chat.completions.stream({ model, messages }).finalContent(), words);
console.log("streamed:", words.length);

const tools = [{ type: "function", function: { name: "f", parameters: { type: "object", properties: {} } } }];
for (const [asked, status, code] of [
  [{ model, messages, tools }, 400, "unsupported_parameter"],
  [{ model: "gpt-none", messages }, 404, "model_not_found"],
]) {
  const is = (error) => error.status === status && error.code === code;
  await assert.rejects(() => client.chat.completions.create(asked), is, code);
}
console.log("refused: 2");
