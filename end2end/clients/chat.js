// What tests of the official clients share: npm `ai` 5, 6 and 7, unmodified, as `useChat` uses them.
import assert from "node:assert/strict";
import * as ai5 from "ai5";
import * as ai6 from "ai6";
import * as ai7 from "ai7";
import { browser } from "./server.js";

export const RELEASES = { 5: ai5, 6: ai6, 7: ai7 };

/** What React's hook keeps, in plain fields. */
class Kept {
  status = "ready";
  error = undefined;
  messages = [];
  pushMessage = (message) => (this.messages = [...this.messages, message]);
  popMessage = () => (this.messages = this.messages.slice(0, -1));
  replaceMessage = (at, message) => (this.messages = this.messages.with(at, structuredClone(message)));
  snapshot = (value) => structuredClone(value);
}

/** A chat of that release over these addresses; `more` are its own options. */
export function chatOver(ai, { id = "chat", fetch = browser(), ...transport }, more) {
  class Chat extends ai.AbstractChat {}
  return new Chat({ id, transport: new ai.DefaultChatTransport({ fetch, ...transport }), state: new Kept(), ...more });
}

export const tools = (message, name) => message.parts.filter((part) => part.type === `tool-${name}`);
export const texts = (message) => message.parts.filter((part) => part.type === "text").map((part) => part.text);

/** Until the chat's message holds what `held` looks for. */
export async function until(chat, held) {
  while (!chat.messages.some(held)) {
    assert.notEqual(chat.status, "error", chat.error?.message);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The chunks as they stand on the wire. */
export async function chunks(response) {
  assert.equal(response.status, 200);
  const frames = (await response.text()).split("\n\n").filter((frame) => frame.startsWith("data: ")).map((frame) => frame.slice(6));
  assert.equal(frames.pop(), "[DONE]");
  return frames.map((frame) => JSON.parse(frame));
}

/** `ask`, and what makes its first response break off like a lost connection. */
export function cuttable(ask) {
  let cut;
  const lost = new Promise((_, fail) => (cut = () => fail(new TypeError("network error"))));
  let first = true;
  const fetch = async (input, init) => {
    const response = await ask(input, init);
    if (!first) return response;
    first = false;
    const reader = response.body.getReader();
    const pull = async (body) => {
      const { done, value } = await Promise.race([reader.read(), lost]);
      if (done) body.close();
      else body.enqueue(value);
    };
    return new Response(new ReadableStream({ pull }), { status: response.status, headers: response.headers });
  };
  return { fetch, cut };
}
