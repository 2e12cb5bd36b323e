// A relay as one would write it by hand in Node: reads an upstream's chat completion stream line by line and sends
// each word on. Keeps nothing. `node relay.mjs <upstream>`
import { Agent, createServer, request } from "node:http";

const upstream = new URL("/v1/chat/completions", process.argv[2]);
const agent = new Agent({ keepAlive: true });
const ask = JSON.stringify({ model: "bench", stream: true, messages: [{ role: "user", content: "Go on." }] });

const server = createServer((_, client) => {
  client.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  const call = request(upstream, { method: "POST", agent, headers: { "content-type": "application/json" } }, (answer) => {
    let rest = "";
    answer.setEncoding("utf8");
    answer.on("data", (piece) => {
      const lines = (rest + piece).split("\n");
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith("data: ")) continue;
        const data = line.slice(6);
        if (data === "[DONE]") {
          client.end("data: [DONE]\n\n");
          continue;
        }
        const content = JSON.parse(data).choices[0]?.delta.content;
        if (content) client.write(`data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`);
      }
    });
  });
  call.end(ask);
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
