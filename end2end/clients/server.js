import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const root = resolve(import.meta.dirname, "../..");
const program = process.env.COLLOQUY_BIN ?? join(root, "target/release/colloquy");

/** A server on a store of its own, closed with the test `t`. `pace` is the time of a rehearsed word in milliseconds. */
export async function serve(t, { pace = 0, ...environment } = {}) {
  const folder = mkdtempSync(join(tmpdir(), "colloquy-"));
  const env = { PATH: process.env.PATH, LEPTOS_SITE_ADDR: "127.0.0.1:0", DATABASE_URL: `sqlite://${folder}/colloquy.db`, COLLOQUY_REHEARSAL_PACE: `${pace}`, ...environment };
  const server = spawn(program, { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(async () => {
    const ended = once(server, "exit");
    if (server.exitCode === null && server.kill("SIGKILL")) await ended;
    rmSync(folder, { recursive: true, force: true });
  });
  for await (const line of createInterface({ input: server.stdout })) {
    const said = /http:\/\/[0-9.:]+/.exec(line);
    if (said) {
      server.stdout.resume();
      return said[0];
    }
  }
  throw new Error("the server ended before it listened");
}

/** `fetch` as a browser does it: keeps the owner's cookie and sends it again. `posts` counts what it posted. */
export function browser() {
  let cookie;
  const ask = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    if (cookie) headers.set("cookie", cookie);
    if (init.method === "POST") ask.posts += 1;
    const response = await fetch(input, { ...init, headers });
    cookie = response.headers.getSetCookie()[0]?.split(";")[0] ?? cookie;
    return response;
  };
  ask.posts = 0;
  return ask;
}
