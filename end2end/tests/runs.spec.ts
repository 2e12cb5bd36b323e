import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { begin, expect, open, state, test, thread } from "../server";

const runs = (page: Page) => page.getByRole("list", { name: "Runs", exact: true });
const row = (page: Page, title: string) => runs(page).getByRole("listitem").filter({ hasText: title });

/** Plays a journey to its end; its address. */
async function journey(page: Page, example: string) {
  await open(page, "/demo");
  await page.getByRole("button", { name: example }).click();
  await page.getByRole("button", { name: "Start simulation" }).click();
  await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
  await expect(state(page)).toHaveText("Done");
  return new URL(page.url()).pathname;
}

async function about(page: Page, run: string) {
  await open(page, run.replace("/demo/", "/runs/") + "/about");
}

/** A form leads on to another page, or to the same one anew, which answers. */
async function press(page: Page, name: string) {
  await Promise.all([page.waitForEvent("load"), page.getByRole("button", { name, exact: true }).click()]);
  await page.locator("html[data-hydrated]").waitFor();
}

test("conversations are found, and lead to their rooms", async ({ page }) => {
  await open(page, "/runs");
  await expect(page.getByText("Nothing is kept here yet.")).toBeVisible();
  const bakery = await journey(page, "Bakery owner");
  await journey(page, "IT buyer");
  await open(page, "/");
  await page.getByRole("link", { name: "All conversations" }).click();
  await expect(runs(page).getByRole("listitem")).toHaveCount(2);
  await expect(runs(page).getByRole("listitem").first()).toContainText("Priya: What is the best password manager");
  const search = page.getByRole("searchbox", { name: "Search runs" });
  await search.fill("card reader");
  await search.press("Enter");
  await expect(page).toHaveURL(/\/runs\?q=card\+reader$/);
  await expect(runs(page).getByRole("listitem")).toHaveCount(1);
  await expect(search).toHaveValue("card reader");
  await page.getByRole("link", { name: /^Marta: / }).click();
  await expect(page).toHaveURL(new RegExp(`${bakery}$`));
  await open(page, "/runs?q=zebra");
  await expect(page.getByText("Nothing here holds “zebra”.")).toBeVisible();
  await page.goto(bakery.replace("/demo/", "/runs/"));
  await expect(page).toHaveURL(new RegExp(`${bakery}$`));
});

test("a conversation is renamed and pinned", async ({ page }) => {
  const bakery = await journey(page, "Bakery owner");
  await journey(page, "IT buyer");
  await page.goto(bakery);
  await page.locator("html[data-hydrated]").waitFor();
  await page.getByRole("link", { name: "About this conversation" }).click();
  const name = page.getByRole("textbox", { name: "Name" });
  await expect(name).toHaveValue(/^Marta: What is the most reliable card reader/);
  await name.fill("Card readers <b>for bakeries</b>");
  await press(page, "Rename");
  await expect(name).toHaveValue("Card readers <b>for bakeries</b>");
  await expect(page).toHaveTitle(/^About Card readers ‹b›for bakeries‹\/b›/);
  await press(page, "Pin");
  await expect(page.getByRole("button", { name: "Unpin" })).toBeVisible();
  await open(page, "/runs");
  await expect(runs(page).getByRole("listitem").first()).toContainText("Pinned: Card readers <b>for bakeries</b>");
  await open(page, bakery);
  await expect(page).toHaveTitle(/^Card readers/);
});

test("a deleted conversation can be brought back", async ({ page }) => {
  const bakery = await journey(page, "Bakery owner");
  await open(page, "/runs");
  await page.getByRole("button", { name: /^Delete Marta/ }).click();
  await expect(page.getByText(/is deleted\. It can be brought back for a day\./)).toBeVisible();
  await expect(runs(page)).toBeHidden();
  expect((await page.request.get(bakery)).status()).toBe(404);
  await press(page, "Undo");
  await expect(row(page, "Marta")).toHaveCount(1);
  await open(page, bakery);
  await expect(state(page)).toHaveText("Done");
});

test("everything is deleted at once, and only on purpose", async ({ page, context }) => {
  const bakery = await journey(page, "Bakery owner");
  const owner = async () => (await context.cookies()).find((cookie) => cookie.name === "colloquy_owner")?.value;
  const before = await owner();
  await open(page, "/runs");
  const data = page.getByRole("link", { name: "Your data" });
  if (await data.isVisible()) await data.click();
  await page.getByRole("button", { name: "Delete all my data" }).click();
  await expect(page.getByRole("checkbox")).toBeFocused();
  await page.getByRole("checkbox", { name: "Yes, delete all of it for good" }).check();
  await press(page, "Delete all my data");
  await expect(page.getByText("All your data is deleted.")).toBeVisible();
  await expect(page.getByText("Nothing is kept here yet.")).toBeVisible();
  expect((await page.request.get(bakery)).status()).toBe(404);
  expect(await owner()).not.toBe(before);
});

test("a link lets others read, until it is revoked", async ({ page, browser }) => {
  const bakery = await journey(page, "Bakery owner");
  await about(page, bakery);
  await press(page, "Share");
  const link = await page.getByRole("textbox", { name: "Link" }).inputValue();
  const guest = await (await browser.newContext({ viewport: page.viewportSize() })).newPage();
  const opened = await guest.goto(link);
  expect(opened?.headers()["x-robots-tag"]).toBe("noindex");
  await guest.locator("html[data-hydrated]").waitFor();
  await expect(guest).toHaveURL(new RegExp(`${bakery}$`));
  await expect(thread(guest)).toContainText("Marta, simulated customer");
  for (const name of ["Stop", "Continue", "Reset"]) await expect(guest.getByRole("button", { name, exact: true })).toHaveCount(0);
  await guest.getByRole("link", { name: "About this conversation" }).click();
  await expect(guest.getByRole("link", { name: "Export Markdown" })).toBeVisible();
  for (const name of ["Rename", "Pin", "Share", "Revoke", "Delete"]) await expect(guest.getByRole("button", { name, exact: true })).toHaveCount(0);
  await open(guest, "/runs");
  await expect(guest.getByText("Nothing is kept here yet.")).toBeVisible();

  await press(page, "Revoke");
  await expect(page.getByRole("textbox", { name: "Link" })).toHaveCount(0);
  expect((await guest.goto(bakery))?.status()).toBe(404);
  expect((await guest.goto(link))?.status()).toBe(404);
  await expect(guest.getByRole("heading", { name: "This link opens nothing any more." })).toBeVisible();
});

test.describe("slowly", () => {
  test.use({ pace: 60 });

  test("a guest who watches is cut off when the link is revoked", async ({ page, browser }) => {
    await begin(page);
    const run = new URL(page.url()).pathname;
    const shared = await page.request.put(`${run.replace("/demo/", "/api/runs/")}/share`);
    const guest = await (await browser.newContext()).newPage();
    await open(guest, (await shared.json()).url);
    await expect(state(guest)).toHaveText("Running");
    await page.request.delete(`${run.replace("/demo/", "/api/runs/")}/share`);
    await expect(guest.getByText("This conversation is no longer here")).toBeVisible();
    await expect(state(page)).toHaveText("Running");
    await expect(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
  });
});

test("a conversation is taken away as a file", async ({ page }) => {
  const bakery = await journey(page, "Bakery owner");
  await about(page, bakery);
  const save = async (name: string) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
    return [download.suggestedFilename(), readFileSync((await download.path())!, "utf8")];
  };
  const [name, markdown] = await save("Export Markdown");
  expect(name).toMatch(/^marta-what-is-the-most-reliable-card-reader.*\.md$/);
  expect(markdown).toContain("- Rehearsal: Yes: scripted answers, no AI model");
  expect(markdown).toContain("## Consideration");
  const [file, json] = await save("Export JSON");
  expect(file).toMatch(/\.json$/);
  expect(JSON.parse(json)).toMatchObject({ status: "done", rehearsal: true, models: ["rehearsal"] });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("all of it works by forms and links", async ({ page }) => {
    await page.goto("/demo");
    await page.getByRole("textbox", { name: "First question" }).fill("Which clock is the most reliable?");
    await page.getByRole("button", { name: "Start simulation" }).click();
    await expect(page.getByText("Describe the customer in a sentence or two.")).toBeVisible();
    await page.getByRole("textbox", { name: "Customer (ICP)" }).fill("Ada, 30, collects clocks.");
    await page.getByRole("textbox", { name: "First question" }).fill("Which clock is the most reliable?");
    await page.getByRole("button", { name: "Start simulation" }).click();
    await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: "About this conversation" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Clocks");
    await page.getByRole("button", { name: "Rename" }).click();
    await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Clocks");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await expect(page.getByRole("textbox", { name: "Link" })).toHaveValue(/\/s\/[\w-]{32}$/);
    await expect(page.getByRole("button", { name: "Copy" })).toBeHidden();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await expect(row(page, "Clocks")).toHaveCount(1);
    await page.getByRole("searchbox", { name: "Search runs" }).fill("clocks");
    await page.getByRole("button", { name: "Search" }).click();
    await expect(row(page, "Clocks")).toHaveCount(1);
  });
});

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });

    test(`list, data, own page and dead link: axe and pictures, ${theme}`, async ({ page }) => {
      const look = async (name: string) => {
        const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
        expect(violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
        await page.screenshot({ path: `shots/${test.info().project.name}-${name}-${theme}.png` });
      };
      await open(page, "/runs");
      await look("runs-none");
      const bakery = await journey(page, "Bakery owner");
      await about(page, bakery);
      await look("about");
      await press(page, "Share");
      await look("about-shared");
      await press(page, "Pin");
      await open(page, "/runs");
      await look("runs");
      await open(page, "/runs?show=desk");
      await look("runs-desk");
      await open(page, "/s/nothing");
      await look("link-dead");
    });
  });
}
