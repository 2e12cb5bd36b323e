import { test as base, expect, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/** Opens administration in every test. */
export const ADMIN_TOKEN = "the-admin-token-of-the-tests";

/** The release build on a store of its own. It can be killed and started again at the same address. */
export class Server {
  private process?: ChildProcess;
  private readonly folder = mkdtempSync(join(tmpdir(), "colloquy-"));
  url = "";

  /** `pace` is the time of a rehearsed word in milliseconds; `strangers` can reach a server that has a public address. */
  constructor(private readonly pace: number, private readonly environment: Record<string, string> = {}, private readonly strangers = false) {}

  async start() {
    if (this.strangers && !this.url) this.url = `http://127.0.0.1:${await freePort()}`;
    const address = this.url.replace("http://", "") || "127.0.0.1:0";
    const env = { PATH: process.env.PATH, LEPTOS_SITE_ADDR: address, DATABASE_URL: `sqlite://${this.folder}/colloquy.db`, COLLOQUY_REHEARSAL_PACE: `${this.pace}`, COLLOQUY_MODEL: "rehearsal", COLLOQUY_ADMIN_TOKEN: ADMIN_TOKEN, ...(this.strangers && { COLLOQUY_PUBLIC_URL: this.url }), ...this.environment };
    this.process = spawn(join(root, "target/release/colloquy"), { cwd: root, env, stdio: ["ignore", "pipe", "inherit"] });
    for await (const line of this.process.stdout!) {
      const said = /http:\/\/[0-9.:]+/.exec(String(line));
      if (said) {
        this.url = said[0];
        this.process.stdout!.resume();
        return;
      }
    }
    throw new Error("the server ended before it listened");
  }

  /** Killed, not asked. */
  async kill() {
    const ended = once(this.process!, "exit");
    this.process!.kill("SIGKILL");
    await ended;
  }

  async close() {
    if (this.process?.exitCode === null && this.process.signalCode === null) await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort() {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const { port } = probe.address() as AddressInfo;
  probe.close();
  return port;
}

/** Stands before a server and breaks off the first answer for each address like that, half way through it. */
export async function breaking(url: string, like: RegExp) {
  const broken = new Set<string>();
  const proxy = http.createServer(async (request, response) => {
    const { method, headers, url: path = "/" } = request;
    const answer = await new Promise<http.IncomingMessage>((come) => request.pipe(http.request(url + path, { method, headers }, come)));
    if (!like.test(path) || broken.has(path)) {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
      return;
    }
    broken.add(path);
    const whole = Buffer.concat(await answer.toArray());
    response.writeHead(answer.statusCode!, { ...answer.headers, "content-length": whole.length });
    response.write(whole.subarray(0, whole.length / 2), () => response.destroy());
  });
  await once(proxy.listen(0, "127.0.0.1"), "listening");
  const close = () => (proxy.close(), proxy.closeAllConnections());
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, broken, close };
}

export const test = base.extend<{ pace: number; environment: Record<string, string>; strangers: boolean; server: Server }>({
  pace: [0, { option: true }],
  environment: [{}, { option: true }],
  strangers: [false, { option: true }],
  server: async ({ pace, environment, strangers }, use) => {
    const server = new Server(pace, environment, strangers);
    await server.start();
    await use(server);
    await server.close();
  },
  baseURL: async ({ server }, use) => use(server.url),
});

export { expect };

/** A page whose every part answers. */
export async function open(page: Page, path: string) {
  await page.goto(path);
  await page.locator("html[data-hydrated]").waitFor();
}

/** Starts the first example and waits for its page. */
export async function begin(page: Page) {
  await open(page, "/demo");
  await page.getByRole("button", { name: "Bakery owner" }).click();
  await page.getByRole("button", { name: "Start simulation" }).click();
  await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
}

export const MOTION = "Should our bakery sell online?";

/** Starts a debate of the default panel and waits for its page. */
export async function beginDebate(page: Page, rounds = 1) {
  await open(page, "/debate");
  await page.getByRole("textbox", { name: "Motion" }).fill(MOTION);
  await page.getByRole("spinbutton", { name: "Exchange rounds" }).fill(`${rounds}`);
  await page.getByRole("button", { name: "Start debate" }).click();
  await page.waitForURL(/\/debate\/[0-9a-f-]{36}$/);
}

export const state = (page: Page) => page.getByRole("status", { name: "Run state" });
export const thread = (page: Page) => page.getByRole("log", { name: "Conversation" });

/** On a phone the instruments are behind the conversation. */
export async function showDesk(page: Page) {
  const details = page.getByRole("link", { name: "Show details" });
  if (!(await details.isVisible())) return;
  await details.click();
  await page.getByRole("link", { name: "Show conversation" }).waitFor();
}
