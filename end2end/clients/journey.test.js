// A research conversation with the official clients, unmodified: npm `ai` 5, 6 and 7 as `useChat` uses them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RELEASES, chatOver, chunks, cuttable, texts, tools, until } from "./chat.js";
import { browser, serve } from "./server.js";

const OPENING = "We sell card readers to bakeries in Leeds.";
const SECTIONS = ["competitors", "crossAnalysis", "icpValidation", "industryMarket", "offerAnalysis"];

/** What a person would press or type. */
function answer({ field, options, multi }) {
  if (field === "monthlyBudget") return "I don't know";
  if (field === "offerPricing") return { answer: "£29 once, and 1.5% of sales" };
  if (!options) return `In a few words: ${field}.`;
  return multi ? { answer: [options[0].value] } : options[0].value;
}

/** A chat of that release, which posts by itself once a question has its answer; `more` are its own options. */
function open(ai, url, { id, fetch, headers, ...more } = {}) {
  const prepareReconnectToStreamRequest = ({ id }) => ({ api: `${url}/api/journey/${id}/stream`, headers });
  const transport = { api: `${url}/api/journey/stream`, id, fetch, headers, prepareReconnectToStreamRequest };
  return chatOver(ai, transport, { sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithToolCalls, ...more });
}

/** The same, with somebody who answers each question as soon as it is asked. */
function answering(ai, url, options) {
  const onToolCall = ({ toolCall: { toolName, toolCallId, input } }) => {
    if (toolName === "askUser") chat.addToolOutput({ tool: "askUser", toolCallId, output: answer(input) });
  };
  const chat = open(ai, url, { onToolCall, ...options });
  return chat;
}

const calls = (chat, name) => chat.messages.flatMap((message) => tools(message, name));
const hasAsked = (message) => message.role === "assistant" && tools(message, "askUser").some((call) => call.state === "input-available");

/** A whole conversation: no call without its result, each section once, and the end in words. */
function assertWhole(chat) {
  assert.equal(chat.status, "ready", chat.error?.message);
  const { lastMessage } = chat;
  assert.deepEqual([lastMessage.metadata.status, lastMessage.metadata.rehearsal], ["done", true]);
  const results = calls(chat, "runResearch");
  assert.ok(results.every((call) => call.state === "output-available" && !call.preliminary && call.providerExecuted), JSON.stringify(results));
  assert.deepEqual(results.map((call) => call.output.section).sort(), SECTIONS);
  for (const { input, output } of results) {
    assert.deepEqual([output.status, input.section], ["complete", output.section]);
    assert.ok(output.data && Array.isArray(output.sources) && output.durationMs >= 0 && "cost" in output);
  }
  assert.ok(calls(chat, "askUser").every((call) => call.state === "output-available" && !call.providerExecuted));
  assert.equal(new Set([...results, ...calls(chat, "askUser")].map((call) => call.toolCallId)).size, results.length + calls(chat, "askUser").length);
  assert.equal(lastMessage.parts.at(-1).type, "text");
}

/** `fetch`, and every chunk that it has brought. */
function recorded(ask) {
  const all = [];
  const fetch = async (input, init) => {
    const response = await ask(input, init);
    const [read, kept] = response.body.tee();
    all.push(chunks(new Response(kept, { status: response.status })));
    return new Response(read, { status: response.status, headers: response.headers });
  };
  return { fetch, responses: () => Promise.all(all) };
}

for (const [release, ai] of Object.entries(RELEASES)) {
  test(`journey, ai ${release}: questions answered to the end, every chunk in the package's own schema`, async (t) => {
    const asking = browser();
    const { fetch, responses } = recorded(asking);
    const chat = answering(ai, await serve(t), { fetch });
    await chat.sendMessage({ text: OPENING });
    assertWhole(chat);
    const asked = calls(chat, "askUser").length;
    assert.deepEqual([chat.messages.length, asking.posts], [2, asked + 1], "one message, one post for each answer, and none behind the end");
    const schema = ai.uiMessageChunkSchema();
    const read = await responses();
    for (const chunk of read.flat()) assert.ok((await schema.validate(chunk)).success, JSON.stringify(chunk));
    assert.deepEqual(read.map((response) => response.at(-1).finishReason), [...Array(asked).fill("tool-calls"), "stop"]);
    assert.deepEqual(new Set(read.map((response) => response[0].messageId)), new Set([chat.lastMessage.id]));
  });

  test(`journey, ai ${release}: the question is there while the research goes on, and a typed message answers it`, async (t) => {
    const url = await serve(t, { pace: 4 });
    const chat = open(ai, url);
    let preliminary = 0, early = false;
    const watch = () => {
      const research = calls(chat, "runResearch");
      preliminary += research.filter((call) => call.preliminary && call.output.status === "running" && call.output.steps.length > 0).length;
      early ||= chat.messages.some(hasAsked) && research.some((call) => call.state === "input-available" || call.preliminary);
    };
    const timer = setInterval(watch, 5);
    t.after(() => clearInterval(timer));
    await chat.sendMessage({ text: OPENING });
    for (let turn = 0; turn < 15; turn += 1) {
      const open = tools(chat.lastMessage, "askUser").find((call) => call.state === "input-available");
      if (!open) break;
      const words = answer(open.input);
      await chat.sendMessage({ text: typeof words === "string" ? words : [words.answer].flat().join(", ") });
    }
    const fields = calls(chat, "askUser").map((call) => call.input.field);
    assert.equal(new Set(fields).size, fields.length, "nothing is asked twice");
    assert.ok(early && preliminary > 0, `${early}, ${preliminary}`);
    assert.equal(chat.lastMessage.metadata.status, "done");
    assert.deepEqual([...new Set(calls(chat, "runResearch").filter((call) => call.output?.status === "complete").map((call) => call.output.section))].sort(), SECTIONS);
  });

  test(`journey, ai ${release}: without a cookie the messages are the conversation`, async (t) => {
    const url = await serve(t);
    const runs = new Set();
    const stateless = async (input, init) => {
      const response = await fetch(input, init);
      runs.add(response.headers.get("location"));
      return response;
    };
    const chat = answering(ai, url, { fetch: stateless });
    await chat.sendMessage({ text: OPENING });
    assertWhole(chat);
    assert.deepEqual([chat.messages.length, runs.size], [2, calls(chat, "askUser").length + 1]);
  });

  test(`journey, ai ${release}: another page goes on with it, by cookie and by token`, async (t) => {
    const url = await serve(t, { pace: 4 });
    const fetch = browser();
    const first = open(ai, url, { fetch });
    const sent = first.sendMessage({ text: OPENING });
    await until(first, (message) => message.role === "assistant");
    const authorization = `Bearer ${first.lastMessage.metadata.runToken}`;
    const seconds = [{ fetch }, { headers: { authorization } }].map((rights) => open(ai, url, rights));
    await Promise.all([sent, ...seconds.map((second) => second.resumeStream())]);
    for (const second of seconds) {
      assert.deepEqual([second.status, second.messages.length, second.lastMessage.id], ["ready", 1, first.lastMessage.id]);
      assert.deepEqual(calls(second, "askUser"), calls(first, "askUser"));
      assert.equal(texts(second.lastMessage).join(), texts(first.lastMessage).join());
    }
    // What is answered there goes on in the same run, and what was resumed to its end is not resumed again.
    const [second] = seconds;
    const [{ toolCallId, input }] = calls(second, "askUser");
    await second.addToolOutput({ tool: "askUser", toolCallId, output: answer(input) });
    await until(second, (message) => tools(message, "askUser").length === 2 && hasAsked(message));
    assert.equal(second.lastMessage.metadata.runId, first.lastMessage.metadata.runId);
    while (second.status !== "ready") await new Promise((resolve) => setTimeout(resolve, 5));
    await second.resumeStream();
    assert.deepEqual([second.status, calls(second, "askUser").length], ["ready", 2]);
  });

  test(`journey, ai ${release}: a lost connection loses nothing`, async (t) => {
    const url = await serve(t, { pace: 4 });
    const { fetch, cut } = cuttable(browser());
    const chat = open(ai, url, { fetch });
    const sent = chat.sendMessage({ text: OPENING });
    await until(chat, (message) => message.role === "assistant");
    cut();
    await sent;
    assert.equal(chat.status, "error");
    // The same is sent again: nothing new is heard, and the message comes whole.
    const again = open(ai, url, { fetch });
    again.messages = chat.messages.slice(0, 1);
    await again.sendMessage();
    assert.deepEqual([again.status, again.messages.length, calls(again, "askUser").length], ["ready", 2, 1]);
    assert.equal(again.lastMessage.metadata.runId, chat.lastMessage.metadata.runId);
  });

  test(`journey, ai ${release}: what is stopped ends in words, and an answer goes on`, async (t) => {
    const url = await serve(t);
    const fetch = browser();
    const chat = open(ai, url, { fetch });
    await chat.sendMessage({ text: OPENING });
    const { runId } = chat.lastMessage.metadata;
    assert.equal((await fetch(`${url}/api/runs/${runId}/stop`, { method: "POST" })).status, 204);
    await chat.regenerate();
    assert.deepEqual([chat.status, chat.lastMessage.metadata.runId], ["ready", runId]);
    const [{ toolCallId, input }] = calls(chat, "askUser");
    await chat.addToolOutput({ tool: "askUser", toolCallId, output: answer(input) });
    await chat.sendMessage();
    assert.deepEqual([chat.status, chat.lastMessage.metadata.status, calls(chat, "askUser").length], ["ready", "waiting", 2]);
  });
}
