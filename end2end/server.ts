import { test as base, expect, type Page } from "@playwright/test";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

  /**
   * `pace` is the time of a rehearsed word in milliseconds; `strangers` can reach a server that has a public address; with a
   * `library` research is done there, and the rest of it rehearsed.
   */
  constructor(private readonly pace: number, private readonly environment: Record<string, string> = {}, private readonly strangers = false, private readonly library?: Library) {}

  async start() {
    if (this.strangers && !this.url) this.url = `http://127.0.0.1:${await freePort()}`;
    const address = this.url.replace("http://", "") || "127.0.0.1:0";
    const env = { PATH: process.env.PATH, LEPTOS_SITE_ADDR: address, DATABASE_URL: `sqlite://${this.folder}/colloquy.db`, COLLOQUY_REHEARSAL_PACE: `${this.pace}`, COLLOQUY_MODEL: "rehearsal", COLLOQUY_ADMIN_TOKEN: ADMIN_TOKEN, ...(this.strangers && { COLLOQUY_PUBLIC_URL: this.url }), ...(this.library && this.researching(this.library)), ...this.environment };
    this.process = spawn(join(root, "target/release/colloquy"), { cwd: this.library ? this.folder : root, env, stdio: ["ignore", "pipe", "inherit"] });
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

  /** Its settings name a researcher, which the usual ones leave to whoever has a key. */
  private researching(library: Library) {
    const settings = readFileSync(join(root, "Leptos.toml"), "utf8");
    writeFileSync(join(this.folder, "Leptos.toml"), settings.replace("# researcher =", "researcher ="));
    return { LEPTOS_SITE_ROOT: join(root, "target/site"), PERPLEXITY_API_KEY: "a key", PERPLEXITY_BASE_URL: `${library.url}/v1` };
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

/** What can be researched, in the words of its instructions. */
export type Section = "Industry and market" | "Competitors" | "Customer fit" | "Offer" | "What it adds up to";

/** Speaks as Perplexity's Agent API does: searches, reads two sources, and writes for as long as nobody says that it has done so. */
export class Library {
  /** What was asked for, in order. */
  asked: Section[] = [];
  url = "";
  private written = new Set<() => void>();
  private held = true;
  private readonly door = http.createServer(async (request, response) => {
    const { instructions } = JSON.parse(Buffer.concat(await request.toArray()).toString());
    const section = /strategist: (.*)\./.exec(instructions)![1] as Section;
    this.asked.push(section);
    const tell = (type: string, rest: object) => response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
    response.writeHead(200, { "content-type": "text/event-stream" });
    const page = (id: number) => ({ id, title: `${section}: page ${id}`, url: `https://pages.example/${id}`, snippet: "As it stands there.", date: "2026-11-01" });
    tell("response.reasoning.search_queries", { queries: [`${section} of bakeries`] });
    tell("response.reasoning.search_results", { results: [page(1), page(2)] });
    if (this.held) await new Promise<void>((write) => this.written.add(write));
    tell("response.output_text.delta", { delta: "What was found [1][2]." });
    tell("response.completed", { response: { usage: { input_tokens: 9, output_tokens: 9, cost: { total_cost: 0.01 } }, output: [] } });
    response.end();
  });

  async open() {
    await once(this.door.listen(0, "127.0.0.1"), "listening");
    this.url = `http://127.0.0.1:${(this.door.address() as AddressInfo).port}`;
  }

  /** All that is being written is done, and whatever is asked for from now on is written at once. */
  write() {
    this.held = false;
    this.written.forEach((write) => write());
  }

  close() {
    this.door.close();
    this.door.closeAllConnections();
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

export const test = base.extend<{ pace: number; environment: Record<string, string>; strangers: boolean; researched: boolean; library: Library; server: Server }>({
  pace: [0, { option: true }],
  environment: [{}, { option: true }],
  strangers: [false, { option: true }],
  researched: [false, { option: true }],
  library: async ({}, use) => {
    const library = new Library();
    await library.open();
    await use(library);
    library.close();
  },
  server: async ({ pace, environment, strangers, researched, library }, use) => {
    const server = new Server(pace, environment, strangers, researched ? library : undefined);
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

/** Starts a conversation by an example, which answers three of the eight questions, and waits for its page. */
export async function beginResearch(page: Page) {
  await open(page, "/journey");
  await page.getByRole("button", { name: "Card reader for bakeries" }).click();
  await page.waitForURL(/\/journey\/[0-9a-f-]{36}$/);
}

export const choices = (page: Page) => page.getByRole("group", { name: "Choices" });
export const card = (page: Page, section: Section) => page.getByRole("article", { name: `Research: ${section}`, exact: true });

/** Chooses of what is on offer, and says so where it may be several. */
export async function choose(page: Page, ...names: string[]) {
  for (const name of names) await choices(page).getByRole("button", { name, exact: true }).click();
  const done = choices(page).getByRole("button", { name: "Done", exact: true });
  if (names.length > 1) await done.click();
}

export async function say(page: Page, words: string) {
  await page.getByRole("textbox", { name: "Message" }).fill(words);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** The questions that an example leaves, each with words of its own that it is known by, and what is answered. */
const INTERVIEW: [question: string, answer: (page: Page) => Promise<void>][] = [
  ["earn its money", (page) => choose(page, "A fee per transaction", "Subscription")],
  ["choose today instead", (page) => say(page, "SumUp and Zettle, mostly.")],
  ["Which industry", (page) => choose(page, "Payments")],
  ["spend on marketing", (page) => choose(page, "£1,000 to £5,000")],
  ["cost, and what is included", (page) => say(page, "£29 for the reader, then 1.5% of sales")],
];

/** Answers these questions, as they come. */
export async function answer(page: Page, from: number, until = INTERVIEW.length) {
  for (const [question, reply] of INTERVIEW.slice(from, until)) {
    await asked(page, question);
    await reply(page);
  }
}

/** Waits for a question, known by words of it, until it can be answered. */
export async function asked(page: Page, question: string) {
  await expect(thread(page).locator(".msg.them").last()).toContainText(question);
  await choices(page).waitFor();
}

export const state = (page: Page) => page.getByRole("status", { name: "Run state" });
export const thread = (page: Page) => page.getByRole("log", { name: "Conversation" });

/** On a phone the instruments are behind the conversation. */
export async function showDesk(page: Page) {
  const details = page.getByRole("link", { name: /^(Show details|What we know: )/ });
  // A page that is still coming has no style sheet yet, so that what is seen says nothing.
  if (page.viewportSize()!.width >= 700) return;
  await details.click();
  await page.getByRole("link", { name: "Show conversation" }).waitFor();
}
