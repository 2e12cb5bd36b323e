import { type Page } from "@playwright/test";
import { beginDebate as begin, expect, MOTION, open, showDesk, state, test, thread } from "../server";

const messages = (page: Page) => thread(page).getByRole("article");
const by = (page: Page, name: string) => thread(page).getByRole("article", { name, exact: true });

test("a debate goes through its phases, everybody once in each, and is summarised", async ({ page, server }) => {
  await begin(page, 2);
  await expect(page.getByRole("status", { name: "Rehearsal" })).toHaveText("Rehearsal: scripted answers, no AI model");
  await expect(state(page)).toHaveText("Done");
  await expect(messages(page)).toHaveCount(3 * 5 + 1);
  for (const name of ["Napoleon", "Gandhi", "Alexander"]) {
    await expect(by(page, name)).toHaveCount(5);
    await expect(by(page, name).first()).toContainText("sell online");
  }
  await expect(by(page, "Summariser")).toHaveCount(1);
  await expect(thread(page)).toContainText(/Opening[^]*Defence[^]*Exchange, round 1[^]*Exchange, round 2[^]*Reflection[^]*Summary/);
  const run = await (await page.request.get(`/api/runs/${page.url().split("/").pop()}`)).json();
  expect(run.state.debate).toMatchObject({ phase: "DONE", exchange_rounds: 2, max_exchange_rounds: 2, topic: MOTION });
  await showDesk(page);
  await expect(page.getByRole("heading", { name: MOTION })).toBeVisible();
  const phases = page.getByRole("list", { name: "Phases" });
  for (const phase of ["Opening", "Defence", "Exchange", "Reflection", "Summary"]) {
    await expect(phases.locator(":scope > li", { hasText: phase })).toHaveText(/complete$/);
  }
  expect((await (await fetch(`${server.url}/health`)).json()).status).toBe("ok");
});

test("each sentence of the summary leads to the messages it rests on", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const ground = by(page, "Summariser").getByRole("link").first();
  const number = Number(await ground.innerText());
  await ground.click();
  await expect(page).toHaveURL(new RegExp(`#message-${number}$`));
  await expect(messages(page).nth(number - 1)).toBeInViewport();
});

test("the figures are those of what was said", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  const shares = await page.locator(".shares li").allInnerTexts();
  const percents = shares.map((share) => Number(/(\d+) %/.exec(share)![1]));
  expect(percents.reduce((sum, percent) => sum + percent)).toBe(100);
  const named = page.getByRole("row").nth(1).getByRole("cell");
  await expect(named.first()).toHaveText("–");
  await expect(page.getByText(/Still alive in the summary: \d+ of \d+/)).toBeVisible();
});

test.describe("slowly", () => {
  test.use({ pace: 60 });

  test("who speaks is lit, the words stream, and the phase is marked", async ({ page }) => {
    await begin(page);
    const first = by(page, "Napoleon").first();
    await expect(first).toContainText(/(\S+\s+){3}/);
    const early = (await first.innerText()).length;
    await expect.poll(async () => (await first.innerText()).length).toBeGreaterThan(early);
    await expect(page.getByText(/^(Napoleon|Gandhi) is (speaking|thinking)…$/)).toBeVisible();
    await showDesk(page);
    await expect(page.getByRole("list", { name: "Phases" }).locator("[aria-current=step]")).toContainText("Opening");
    await expect(page.getByRole("list", { name: "Panel" }).locator("[aria-current=true]")).toHaveText(/Napoleon|Gandhi/);
  });

  test("stop keeps what was said, and continue goes on", async ({ page }) => {
    await begin(page);
    await expect(by(page, "Gandhi")).toContainText(/(\S+\s+){4}/);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(state(page)).toHaveText("Stopped");
    await expect(by(page, "Gandhi")).toContainText(/(\S+\s+){4}[^]*stopped/);
    await page.reload();
    await expect(by(page, "Gandhi")).toContainText("stopped");
    const opening = await by(page, "Napoleon").innerText();
    await page.locator("html[data-hydrated]").waitFor();
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(state(page)).toHaveText("Running");
    await expect(by(page, "Gandhi")).not.toContainText("stopped");
    expect(await by(page, "Napoleon").innerText()).toBe(opening);
  });

  test("a refresh, a second tab and a killed server in the middle change nothing", async ({ page, context, server }) => {
    await begin(page);
    await expect(by(page, "Gandhi")).toContainText(/(\S+\s+){3}/);
    await page.reload();
    const other = await context.newPage();
    await open(other, page.url());
    await expect(by(other, "Gandhi")).toContainText(/(\S+\s+){3}/);
    await server.kill();
    await expect(page.getByText("Reconnecting…")).toBeVisible();
    await server.start();
    for (const tab of [page, other]) {
      await expect(tab.getByText("Reconnecting…")).toBeHidden();
      await expect(by(tab, "Alexander")).toContainText(/\S+/);
      await expect(by(tab, "Napoleon")).toHaveCount(1);
    }
  });

  test("the bare page offers the unfinished debate", async ({ page }) => {
    await begin(page);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(state(page)).toHaveText("Stopped");
    const run = page.url();
    await open(page, "/debate");
    await page.getByRole("link", { name: "Continue where you were" }).click();
    await expect(page).toHaveURL(run);
  });
});

test("what cannot be started is said at its field, and nothing is lost", async ({ page }) => {
  await open(page, "/debate");
  const motion = page.getByRole("textbox", { name: "Motion" });
  await motion.fill("x".repeat(301));
  await page.getByRole("button", { name: "Start debate" }).click();
  await expect(motion).toHaveAccessibleDescription(/1 to 300/);
  await expect(motion).toBeFocused();
  await motion.fill("Tea or coffee?");
  for (const name of ["Gandhi", "Alexander"]) await page.getByRole("checkbox", { name }).uncheck();
  await page.getByRole("button", { name: "Start debate" }).click();
  await expect(page.getByText("A debate needs 2 to 6 debaters; there are 1.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Motion" })).toHaveValue("Tea or coffee?");
  await page.getByRole("checkbox", { name: "Gandhi" }).check();
  await page.getByRole("button", { name: "Start debate" }).click();
  await expect(state(page)).toHaveText("Done");
  await expect(by(page, "Alexander")).toHaveCount(0);
});

test("without a word the usual motion is debated", async ({ page }) => {
  await open(page, "/debate");
  await page.getByRole("button", { name: "Start debate" }).click();
  await expect(state(page)).toHaveText("Done");
  await expect(messages(page)).toHaveCount(19);
  await showDesk(page);
  await expect(page.getByRole("heading", { name: "How to achieve peace and prosperity" })).toBeVisible();
});

test("a double click starts one debate", async ({ page }) => {
  await open(page, "/debate");
  await page.getByRole("textbox", { name: "Motion" }).fill(MOTION);
  await page.getByRole("button", { name: "Start debate" }).dblclick();
  await page.waitForURL(/\/debate\/[0-9a-f-]{36}$/);
  await open(page, "/runs");
  await expect(page.getByRole("list", { name: "Runs" }).getByText(MOTION)).toHaveCount(1);
});

test("run again with changes brings everything back", async ({ page }) => {
  await begin(page, 2);
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  await page.getByRole("link", { name: "Run again with changes" }).click();
  await expect(page.getByRole("textbox", { name: "Motion" })).toHaveValue(MOTION);
  await expect(page.getByRole("spinbutton", { name: "Exchange rounds" })).toHaveValue("2");
  await expect(page.getByRole("checkbox", { name: "Napoleon" })).toBeChecked();
});

test("a finished debate is played again", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const said = await messages(page).allInnerTexts();
  await open(page, `${page.url()}/replay`);
  await page.getByRole("button", { name: "Instant" }).click();
  await expect(messages(page)).toHaveCount(said.length);
  await expect(by(page, "Summariser")).toContainText(/\S+/);
});

test("two debates at the same time do not disturb each other", async ({ page, context }) => {
  const other = await context.newPage();
  await Promise.all([begin(page, 1), begin(other, 2)]);
  await expect(state(page)).toHaveText("Done");
  await expect(state(other)).toHaveText("Done");
  await expect(messages(page)).toHaveCount(13);
  await expect(messages(other)).toHaveCount(16);
});

test("a debate of somebody else is not there, and a shared one can be read and no more", async ({ page, browser, server }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const stranger = await (await browser.newContext()).newPage();
  expect((await stranger.goto(page.url()))?.status()).toBe(404);
  const shared = await page.request.put(`/api/runs/${page.url().split("/").pop()}/share`);
  await open(stranger, new URL((await shared.json()).url, server.url).href);
  await expect(by(stranger, "Summariser")).toHaveCount(1);
  await showDesk(stranger);
  await expect(stranger.getByText("Shared with you, to read.")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "Run again with changes" })).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a debate is started and read", async ({ page }) => {
    await page.goto("/debate");
    await page.getByRole("textbox", { name: "Motion" }).fill(MOTION);
    await page.getByRole("button", { name: "Start debate" }).click();
    await page.waitForURL(/\/debate\/[0-9a-f-]{36}$/);
    await expect(async () => {
      await page.reload();
      await expect(state(page)).toHaveText("Done", { timeout: 500 });
    }).toPass();
    await expect(messages(page)).toHaveCount(19);
  });
});
