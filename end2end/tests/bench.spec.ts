import { begin, expect, open, state, test, thread } from "../server";

test("bad input is refused at its field, and nothing is lost or started", async ({ page }) => {
  await open(page, "/demo");
  const icp = page.getByRole("textbox", { name: "Customer (ICP)" });
  const query = page.getByRole("textbox", { name: "First question" });
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(icp).toHaveAccessibleDescription(/empty/);
  await icp.fill("x".repeat(4001));
  await query.fill("Which one?");
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(icp).toHaveAccessibleDescription(/4,001 characters; 4,000 are the most/);
  await expect(page.getByText("4,001 of 4,000")).toBeVisible();
  await icp.fill("Ada, 30, collects clocks.");
  await query.fill(" ");
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(query).toHaveAccessibleDescription(/empty/);
  await expect(icp).toHaveValue("Ada, 30, collects clocks.");
  await expect(page).toHaveURL(/\/demo$/);
});

test("a double click starts one run", async ({ page }) => {
  await open(page, "/demo");
  await page.getByRole("button", { name: "Student abroad" }).click();
  await page.getByRole("button", { name: "Start simulation" }).dblclick();
  await expect(state(page)).toHaveText("Done");
  await open(page, "/");
  await expect(page.getByRole("list", { name: "Recent runs" }).getByRole("listitem")).toHaveCount(1);
});

test("what was typed survives a reload", async ({ page }) => {
  await open(page, "/demo");
  await page.getByRole("textbox", { name: "Customer (ICP)" }).fill("Ada, 30, collects clocks.");
  await page.reload();
  await expect(page.getByRole("textbox", { name: "Customer (ICP)" })).toHaveValue("Ada, 30, collects clocks.");
});

test("everything can be done with the keyboard alone", async ({ page }) => {
  await open(page, "/demo");
  const focused = () => page.evaluate(() => document.activeElement?.textContent || document.activeElement?.getAttribute("name"));
  const tabTo = async (what: string) => {
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press("Tab");
      if ((await focused())?.includes(what)) return;
    }
    throw new Error(`${what} was not reached`);
  };
  await tabTo("icp");
  await page.keyboard.type("Ada, 30, collects clocks.");
  await tabTo("query");
  await page.keyboard.type("Which clock is the most reliable?");
  await tabTo("Start simulation");
  await page.keyboard.press("Enter");
  await expect(thread(page)).toContainText("Ada, simulated customer");
});

test("hostile words stay words", async ({ page }) => {
  let dialogs = 0;
  page.on("dialog", (dialog) => (dialogs++, dialog.dismiss()));
  await open(page, "/demo");
  await page.getByRole("textbox", { name: "Customer (ICP)" }).fill("Eve</textarea><script>alert(1)</script>, hates <img src=x onerror=alert(2)>");
  await page.getByRole("textbox", { name: "First question" }).fill("[x](javascript:alert(3)) **bold**?");
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(state(page)).toHaveText("Done");
  await page.reload();
  await expect(thread(page)).toContainText("[x](javascript:alert(3)) **bold**?");
  expect(dialogs).toBe(0);
  expect(await thread(page).locator("img, script").count()).toBe(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, pace: 0 });

  test("a journey can be started, and a finished one can be read", async ({ page }) => {
    await page.goto("/demo");
    await page.getByRole("textbox", { name: "Customer (ICP)" }).fill("Ada, 30, collects clocks.");
    await page.getByRole("textbox", { name: "First question" }).fill("Which clock is the most reliable?");
    await page.getByRole("button", { name: "Start simulation" }).click();
    await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
    await expect(async () => {
      await page.reload();
      await expect(state(page)).toHaveText("Done", { timeout: 100 });
    }).toPass();
    await expect(thread(page)).toContainText("Which clock is the most reliable?");
    await expect(thread(page)).toContainText("Activation complete");
  });
});

test("hydration changes nothing that is seen", async ({ page, browser }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const cookies = await page.context().cookies();
  const plain = await browser.newContext({ javaScriptEnabled: false, viewport: page.viewportSize() });
  await plain.addCookies(cookies);
  const still = await plain.newPage();
  const run = new URL(page.url()).pathname;
  for (const path of ["/", "/demo", run, "/runs", run.replace("/demo/", "/runs/") + "/about"]) {
    await still.goto(new URL(path, page.url()).href);
    await open(page, path);
    const words = (seen: typeof page) => seen.locator("main").evaluate((main) => {
      const copy = main.cloneNode(true) as HTMLElement;
      // The clock and the counters of time are the browser's own; drafts are filled in.
      copy.querySelectorAll("time, .counters, .field-head .meta, script").forEach((node) => node.remove());
      return copy.textContent!.replace(/\s+/g, " ");
    });
    expect(await words(page)).toBe(await words(still));
  }
});
