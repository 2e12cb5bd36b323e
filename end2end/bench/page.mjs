// What a browser makes of the pages: Lighthouse's scores on a phone, and the longest task while four runs stream.
// `node page.mjs <server> <server that speaks slowly> <runs of Lighthouse>` prints a JSON line for each row.
import { chromium } from "@playwright/test";
import { launch } from "chrome-launcher";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import lighthouse from "lighthouse";

const [quick, slow, times] = process.argv.slice(2);
const chromePath = process.env.CHROMIUM || find("chromium") || find("google-chrome");
const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const GOALS = { performance: 90, accessibility: 95, "best-practices": 95, seo: 95 };
const STREAMING_MS = 15_000;

function find(name) {
  return process.env.PATH.split(delimiter).map((folder) => join(folder, name)).find((file) => {
    try {
      accessSync(file, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
const row = (what, ours, theirs, goal, met) => console.log(JSON.stringify({ what, ours: String(ours), theirs: String(theirs), goal, met }));
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** A finished run, and the cookie of whom it belongs to. */
async function finished() {
  const cookie = (await fetch(`${quick}/`)).headers.get("set-cookie").split(";")[0];
  const body = JSON.stringify({ icpPersona: "Marta, 41, runs a bakery in Leeds. Hates hidden fees.", initialQuery: "Which card reader is the most reliable?" });
  const answer = await fetch(`${quick}/api/simulate`, { method: "POST", headers: { "content-type": "application/json", cookie }, body });
  const run = answer.headers.get("location").replace("/api/runs/", "/demo/");
  await answer.text();
  return { run, cookie };
}

/** A page in one of four categories as Lighthouse sees it on a phone, each the median of all runs. */
async function audit(name, path, cookie) {
  const seen = { performance: [], accessibility: [], "best-practices": [], seo: [] };
  const paints = [];
  for (let i = 0; i < Number(times); i++) {
    const chrome = await launch({ chromePath, chromeFlags: flags, logLevel: "silent" });
    try {
      const options = { port: chrome.port, output: "json", logLevel: "silent", onlyCategories: Object.keys(GOALS), extraHeaders: { Cookie: cookie } };
      const { lhr } = await lighthouse(`${quick}${path}`, options);
      if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
      for (const category of Object.keys(GOALS)) seen[category].push(Math.round((lhr.categories[category].score ?? 0) * 100));
      paints.push(lhr.audits["largest-contentful-paint"].numericValue);
    } finally {
      chrome.kill();
    }
  }
  for (const [category, least] of Object.entries(GOALS)) {
    const score = median(seen[category]);
    row(`Lighthouse, phone: ${category} of ${name}`, score, category === "performance" ? `LCP ${(median(paints) / 1000).toFixed(1)} s` : "-", `≥ ${least}`, score >= least);
  }
}

/** The longest task of the pages in which four runs stream, in milliseconds. A browser names those of 50 and more. */
async function longestTask() {
  const browser = await chromium.launch({ executablePath: chromePath, args: flags.slice(1) });
  try {
    const context = await browser.newContext({ serviceWorkers: "block" });
    const pages = [];
    for (let i = 0; i < 4; i++) {
      const page = await context.newPage();
      await page.goto(`${slow}/demo`);
      await page.locator("html[data-hydrated]").waitFor();
      await page.getByRole("textbox", { name: "Customer (ICP)" }).fill(`Customer ${i}, 41, runs a bakery. Hates hidden fees.`);
      await page.getByRole("textbox", { name: "First question" }).fill("Which card reader is the most reliable?");
      await page.getByRole("button", { name: "Start simulation" }).click();
      await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
      await page.locator(".msg.them .md").first().waitFor();
      pages.push(page);
    }
    for (const page of pages) {
      await page.evaluate(() => {
        window.longest = 0;
        new PerformanceObserver((list) => list.getEntries().forEach((task) => (window.longest = Math.max(window.longest, task.duration)))).observe({ type: "longtask" });
      });
    }
    await new Promise((done) => setTimeout(done, STREAMING_MS));
    return Math.max(...(await Promise.all(pages.map((page) => page.evaluate(() => window.longest)))));
  } finally {
    await browser.close();
  }
}

if (!chromePath) {
  console.log("not measured, Chromium is not installed");
} else {
  const { run, cookie } = await finished();
  await audit("/", "/", cookie);
  await audit("/demo", "/demo", cookie);
  await audit("a finished run", run, cookie);
  const longest = await longestTask();
  row("longest task while four runs stream", longest ? `${Math.round(longest)} ms` : "< 50 ms", "-", "≤ 50 ms", longest <= 50);
}
