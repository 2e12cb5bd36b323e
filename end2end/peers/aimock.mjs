// Plays both sides of a journey and everybody in a debate, in the dialects of OpenAI, Anthropic and Gemini, and fails in the
// ways a persona asks for: npm @copilotkit/aimock with a script. Prints its address; refuses every key but the one it is given.
import { LLMock } from "@copilotkit/aimock";

const mock = new LLMock({ port: 0, auth: { apiKeys: [process.env.API_KEY] } });

// In the words of all three dialects.
const usage = { prompt_tokens: 40, completion_tokens: 9, input_tokens: 40, output_tokens: 9, promptTokenCount: 40, candidatesTokenCount: 9 };

/** What the customer is told last says who it is, in which phase, and whether it has asked something there. */
const told = ({ messages }) => {
  const last = messages.findLast((message) => message.role === "user").content;
  return typeof last === "string" ? last : last.map((part) => part.text ?? "").join("");
};

function customer(request) {
  const phase = /You are in the phase (\w+)/.exec(told(request))[1];
  const [name, call] = told(request).includes("first question")
    ? ["sendQuery", { query: `What should I know about ${phase}?`, phase }]
    : ["recordPhaseCompletion", { phase, insightsGathered: [`Learned about ${phase}.`] }];
  return { toolCalls: [{ name, arguments: JSON.stringify(call) }], usage };
}

// Once each, at the first request of a customer who is called so.
const first = (word) => ({ predicate: (request) => request.tools?.length > 0 && told(request).includes(word), sequenceIndex: 0 });
mock.on(first("hurried"), { error: { message: "Rate limit reached", type: "rate_limit_error" }, status: 429, retryAfter: 1 });
mock.on(first("garbled"), customer, { chaos: { malformedRate: 1 } });
mock.on(first("interrupted"), customer, { truncateAfterChunks: 1, chunkSize: 4 });

mock.on({ predicate: (request) => request.tools?.length > 0 }, customer);
// In a debate everybody says more than was asked for.
const prompted = (words) => ({ predicate: (request) => told(request).includes(words) });
const turn = "**I have heard you all.** None of you has moved me. Order comes first. I could go on.";
const summary = "Napoleon wants order [1][4]. Gandhi wants none of it [2, 77]. Nobody yields. Alexander rides [3]. All remain [10-12]. And so on [1].";
mock.on(prompted("2-3 sentences"), { content: turn, usage });
mock.on(prompted("4-5 sentences"), { content: summary, usage });
mock.on({}, { content: "It depends on what you sell, and on how often. What matters most to you?", usage });

await mock.start();
console.log(mock.url);
