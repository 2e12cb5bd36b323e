// The official clients, unmodified: npm `ai` 5, 6 and 7 as `useChat` uses them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { RELEASES, chatOver, chunks, cuttable, texts, tools, until } from "./chat.js";
import { browser, serve } from "./server.js";

const PERSONA = "Marta, 41, runs a bakery in Leeds. Hates hidden fees.";
const QUERY = "Which card reader is reliable?";

/** A chat of that release; `more` are its own options. */
function open(ai, url, { id, fetch, headers, body = { icpPersona: PERSONA }, ...more } = {}) {
  return chatOver(ai, { api: `${url}/api/simulate`, id, fetch, headers, body }, more);
}

/** A whole journey, each part once and each at its end. */
function assertWhole(message) {
  assert.equal(message.role, "assistant");
  assert.equal(message.id, message.metadata.runId);
  assert.deepEqual([message.metadata.status, message.metadata.rehearsal], ["done", true]);
  const calls = [...tools(message, "sendQuery"), ...tools(message, "recordPhaseCompletion")];
  assert.equal(tools(message, "recordPhaseCompletion").length, 3);
  assert.equal(calls.length, message.metadata.steps);
  assert.equal(new Set(calls.map((part) => part.toolCallId)).size, calls.length);
  assert.ok(calls.every((part) => part.state === "output-available" && !part.preliminary && part.providerExecuted));
  const phases = message.parts.filter((part) => part.type === "data-phase").map((part) => [part.id, part.data.status]);
  assert.deepEqual(phases, ["discovery", "consideration", "activation"].map((phase) => [phase, "complete"]));
  assert.deepEqual(texts(message), ["The journey is complete."]);
}

const hasAsked = (message) => message.role === "assistant" && tools(message, "sendQuery").length > 0;

const post = (url, body, fetch_ = fetch) =>
  fetch_(`${url}/api/simulate`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ icpPersona: PERSONA, initialQuery: QUERY, ...body }) });

for (const [release, ai] of Object.entries(RELEASES)) {
  test(`ai ${release}: a whole journey`, async (t) => {
    const chat = open(ai, await serve(t));
    await chat.sendMessage({ text: QUERY });
    assert.deepEqual([chat.status, chat.messages.length], ["ready", 2]);
    assertWhole(chat.lastMessage);
    assert.equal(tools(chat.lastMessage, "sendQuery")[0].input.query, QUERY);
  });

  test(`ai ${release}: a message is read while it is written`, async (t) => {
    const url = await serve(t, { pace: 1 });
    const transport = new ai.DefaultChatTransport({ api: `${url}/api/simulate`, body: { icpPersona: PERSONA, initialQuery: QUERY } });
    const stream = await transport.sendMessages({ chatId: "chat", messages: [], trigger: "submit-message", messageId: undefined, abortSignal: undefined });
    let last, states = 0;
    for await (const message of ai.readUIMessageStream({ stream })) [last, states] = [message, states + 1];
    assertWhole(last);
    assert.ok(states > 20, `${states} states`);
  });

  test(`ai ${release}: every chunk fits the package's own schema`, async (t) => {
    const schema = ai.uiMessageChunkSchema();
    const fits = async (chunk) => (await schema.validate(chunk)).success;
    assert.ok(!(await fits({ type: "finish", finishReason: "tool_calls" })) && !(await fits({ type: "text-delta", id: "1" })), "the schema checks nothing");
    const url = await serve(t, { pace: 20 });
    const [quick, unreachable] = await Promise.all([serve(t), serve(t, { OPENAI_API_KEY: "none", OPENAI_BASE_URL: "http://127.0.0.1:9/v1" })]);
    const running = await post(url);
    const stop = await fetch(`${url}${running.headers.get("location")}/stop`, { method: "POST", headers: { authorization: `Bearer ${running.headers.get("colloquy-run-token")}` } });
    assert.equal(stop.status, 204);
    const streams = { whole: await post(quick), cut: await post(quick, { maxSteps: 2 }), stopped: running, failed: await post(unreachable) };
    const ends = { whole: "finish", cut: "finish", stopped: "finish", failed: "error" };
    for (const [name, response] of Object.entries(streams)) {
      const all = await chunks(response);
      assert.equal(all.at(-1).type, ends[name], name);
      for (const chunk of all) assert.ok(await fits(chunk), `${name}: ${JSON.stringify(chunk)}`);
    }
  });

  test(`ai ${release}: a second page resumes in the middle, by cookie and by token`, async (t) => {
    const url = await serve(t, { pace: 4 });
    const fetch = browser();
    const first = open(ai, url, { fetch });
    const sent = first.sendMessage({ text: QUERY });
    await until(first, hasAsked);
    const authorization = `Bearer ${first.lastMessage.metadata.runToken}`;
    const seconds = [{ fetch }, { headers: { authorization } }].map((rights) => open(ai, url, rights));
    await Promise.all([sent, ...seconds.map((second) => second.resumeStream())]);
    assertWhole(first.lastMessage);
    for (const second of seconds) {
      assert.deepEqual([second.status, second.messages.length], ["ready", 1]);
      assert.deepEqual(second.lastMessage, first.lastMessage);
    }
    assert.equal(fetch.posts, 1);
  });

  test(`ai ${release}: 204 when there is nothing to resume`, async (t) => {
    const url = await serve(t);
    const fetch = browser();
    const chat = open(ai, url, { fetch });
    await chat.sendMessage({ text: QUERY });
    for (const [id, over] of [["chat", fetch], ["unknown", fetch], ["chat", browser()]]) {
      const transport = new ai.DefaultChatTransport({ api: `${url}/api/simulate`, fetch: over });
      assert.equal(await transport.reconnectToStream({ chatId: id }), null);
    }
  });

  test(`ai ${release}: nothing is posted again by itself`, async (t) => {
    const url = await serve(t);
    for (const body of [{ icpPersona: PERSONA }, { icpPersona: PERSONA, maxSteps: 2 }]) {
      const fetch = browser();
      const chat = open(ai, url, { fetch, body, sendAutomaticallyWhen: ai.lastAssistantMessageIsCompleteWithToolCalls });
      await chat.sendMessage({ text: QUERY });
      assert.deepEqual([chat.status, fetch.posts], ["ready", 1]);
    }
  });

  test(`ai ${release}: a double submit is one run`, async (t) => {
    const url = await serve(t, { pace: 1 });
    const fetch = browser();
    await fetch(url);
    const chats = [open(ai, url, { fetch }), open(ai, url, { fetch })];
    await Promise.all(chats.map((chat) => chat.sendMessage({ text: QUERY })));
    assert.equal(chats[0].lastMessage.metadata.runId, chats[1].lastMessage.metadata.runId);
    for (const chat of chats) assertWhole(chat.lastMessage);
  });

  test(`ai ${release}: what is asked after the end is a new run`, async (t) => {
    const chat = open(ai, await serve(t));
    await chat.sendMessage({ text: QUERY });
    const first = chat.lastMessage.id;
    await chat.regenerate();
    assert.deepEqual([chat.messages.length, chat.status], [2, "ready"]);
    assertWhole(chat.lastMessage);
    assert.notEqual(chat.lastMessage.id, first);
    await chat.sendMessage({ text: "And which is the cheapest?" });
    assert.deepEqual([chat.messages.length, chat.status], [4, "ready"]);
    assertWhole(chat.lastMessage);
    assert.equal(tools(chat.lastMessage, "sendQuery")[0].input.query, "And which is the cheapest?");
  });

  test(`ai ${release}: a lost connection loses nothing`, async (t) => {
    const url = await serve(t, { pace: 4 });
    const { fetch, cut } = cuttable(browser());
    const chat = open(ai, url, { fetch });
    const sent = chat.sendMessage({ text: QUERY });
    await until(chat, hasAsked);
    cut();
    await sent;
    assert.equal(chat.status, "error");
    // The same is sent again, and the stream is taken up where it was. Release 5 keeps what it had beside what comes again.
    const again = open(ai, url, { fetch });
    again.messages = chat.messages.slice(0, 1);
    const chats = release === "5" ? [again] : [again, chat];
    await Promise.all([again.sendMessage(), release === "5" || chat.resumeStream()]);
    for (const { messages, lastMessage, status } of chats) {
      assert.deepEqual([status, messages.length], ["ready", 2]);
      assertWhole(lastMessage);
      assert.equal(lastMessage.id, chat.lastMessage.id);
    }
  });
}
