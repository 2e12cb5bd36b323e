// Node's plain http, holding connections open as an event stream does: each is told once where it stands, then pinged.
import { createServer } from "node:http";

const open = new Set();
const server = createServer((_, client) => {
  client.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
  client.write('event: status\ndata: {"status":"stopped"}\n\n');
  open.add(client);
  client.on("close", () => open.delete(client));
});
setInterval(() => open.forEach((client) => client.write("event: ping\ndata: {}\n\n")), 15_000);
server.listen(0, "127.0.0.1", 4096, () => console.log(`http://127.0.0.1:${server.address().port}`));
