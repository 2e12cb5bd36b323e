import { begin, breaking, expect, open, showDesk, state, test, thread } from "../server";

test("a journey goes from the start to its end, phase by phase", async ({ page, server }) => {
  await begin(page);
  await expect(page.getByRole("status", { name: "Rehearsal" })).toHaveText("Rehearsal: scripted answers, no AI model");
  await expect(thread(page)).toContainText("What is the most reliable card reader for a small bakery?");
  await expect(thread(page)).toContainText("Marta, simulated customer");
  await expect(state(page)).toHaveText("Done");
  await expect(thread(page)).toContainText(/The journey is complete, in (8|9|10|11|12) steps\./);
  await showDesk(page);
  const phases = page.getByRole("list", { name: "Journey phases" });
  for (const phase of ["Discovery", "Consideration", "Activation"]) {
    await expect(phases.locator(":scope > li", { hasText: phase })).toHaveText(/complete$/);
  }
  await expect(phases.locator("ul li").first()).toBeVisible();
  expect((await (await fetch(`${server.url}/health`)).json()).status).toBe("ok");
});

test.describe("slowly", () => {
  test.use({ pace: 60 });

  test("both sides stream, and the active phase is marked", async ({ page }) => {
    await begin(page);
    const answer = thread(page).locator(".msg.them").first();
    await expect(answer).toHaveText(/\S+/);
    const early = (await answer.innerText()).length;
    await expect.poll(async () => (await answer.innerText()).length).toBeGreaterThan(early);
    await showDesk(page);
    await expect(page.getByRole("list", { name: "Journey phases" }).locator("[aria-current=step]")).toContainText("Discovery");
  });

  test("stop keeps what was written, continue goes on", async ({ page }) => {
    await begin(page);
    const answer = thread(page).locator(".msg.them").first();
    await expect(answer).toContainText(/(\S+\s+){5}/);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(state(page)).toHaveText("Stopped");
    await expect(answer).toContainText(/(\S+\s+){5}[^]*stopped$/);
    await page.reload();
    await expect(state(page)).toHaveText("Stopped");
    await expect(answer).toContainText(/stopped$/);
    await page.locator("html[data-hydrated]").waitFor();
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(state(page)).toHaveText("Running");
    await expect(answer).not.toContainText("stopped");
  });

  test("a refresh in mid-stream goes on where it was", async ({ page }) => {
    await begin(page);
    const answer = thread(page).locator(".msg.them").first();
    await expect(answer).toContainText(/(\S+\s+){8}/);
    const before = await answer.innerText();
    await page.reload();
    await expect.poll(async () => (await answer.innerText()).length).toBeGreaterThanOrEqual(before.length - 40);
    await expect(answer).toContainText(before.slice(0, 20).trim());
    await expect.poll(async () => (await answer.innerText()).length).toBeGreaterThan(before.length);
  });

  test("two tabs show the same, and both can command", async ({ page, context }) => {
    await begin(page);
    const other = await context.newPage();
    await open(other, page.url());
    await expect(state(other)).toHaveText("Running");
    await other.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(state(page)).toHaveText("Stopped");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(state(other)).toHaveText("Running");
  });

  test("offline and back: it reconnects and misses nothing", async ({ page, context }) => {
    await begin(page);
    await expect(thread(page).locator(".msg.them").first()).toHaveText(/\S+/);
    await context.setOffline(true);
    await expect(page.getByText("Reconnecting…")).toBeVisible();
    await context.setOffline(false);
    await expect(page.getByText("Reconnecting…")).toBeHidden();
    await expect(thread(page).locator(".msg.me").nth(1)).toHaveText(/\S+/, { timeout: 30_000 });
  });

  test("a run that is gone is said to be gone", async ({ page, context }) => {
    await begin(page);
    await expect(thread(page).locator(".msg.them").first()).toHaveText(/\S+/);
    for (const path of ["**/api/events?*", "**/api/runs/*"]) await page.route(path, (route) => route.fulfill({ status: 404 }));
    await context.setOffline(true);
    await context.setOffline(false);
    await expect(page.getByText("This conversation is no longer here")).toBeVisible();
    await expect(state(page)).toHaveText("Gone");
    await expect(page.getByRole("button", { name: "Stop", exact: true })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Continue", exact: true })).toHaveCount(0);
    await expect(thread(page).locator(".writing, .caret")).toHaveCount(0);
  });

  test("the server is killed and started again under an open page", async ({ page, server }) => {
    await begin(page);
    await expect(thread(page).locator(".msg.them").first()).toContainText(/(\S+\s+){5}/);
    await server.kill();
    await expect(page.getByText("Reconnecting…")).toBeVisible();
    await server.start();
    await expect(page.getByText("Reconnecting…")).toBeHidden();
    await expect(state(page)).toHaveText("Running");
    await expect(thread(page).locator(".msg.me").nth(1)).toHaveText(/\S+/, { timeout: 30_000 });
  });

  test("focus goes where the eye goes", async ({ page }) => {
    await open(page, "/demo");
    await page.getByRole("button", { name: "Start simulation" }).click();
    await expect(page.getByRole("textbox", { name: "Customer (ICP)" })).toBeFocused();
    await page.getByRole("button", { name: "Bakery owner" }).click();
    await page.getByRole("button", { name: "Start simulation" }).click();
    await expect(thread(page)).toBeFocused();
    // The stream tells of the stop before the command itself is answered.
    await page.route("**/api/fn/command_run", async (route) => {
      const answer = await route.fetch();
      await expect(state(page)).toHaveText("Stopped");
      await route.fulfill({ response: answer });
    });
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(page.getByRole("button", { name: "Continue", exact: true })).toBeFocused();
  });

  test("a page whose data cannot be fetched asks again", async ({ page }) => {
    let cut = 2;
    await page.route("**/api/fn/open_simulation*", (route) => (cut-- > 0 ? route.abort() : route.fallback()));
    await begin(page);
    await expect(state(page)).toHaveText("Running");
  });

  test("a page whose code and data break off asks for them again", async ({ page, server }) => {
    const line = await breaking(server.url, /\.wasm$|open_simulation$/);
    await open(page, `${line.url}/demo`);
    expect(line.broken.size).toBeGreaterThan(1);
    await page.getByRole("button", { name: "Bakery owner" }).click();
    await page.getByRole("button", { name: "Start simulation" }).click();
    await expect(state(page)).toHaveText("Running");
    expect([...line.broken]).toContain("/api/fn/open_simulation");
    line.close();
  });

  test("the bare page offers the unfinished run", async ({ page }) => {
    await begin(page);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(state(page)).toHaveText("Stopped");
    const run = page.url();
    await open(page, "/demo");
    await page.getByRole("link", { name: "Continue where you were" }).click();
    await expect(page).toHaveURL(run);
  });
});

test.describe("at a brisk pace", () => {
  test.use({ pace: 15 });

  test("after a kill the run ends by itself, whether anybody looks or not", async ({ page, server }) => {
    test.setTimeout(120_000);
    await begin(page);
    await server.kill();
    await server.start();
    await expect(state(page)).toHaveText("Done", { timeout: 60_000 });
  });
});

test.describe("in many tabs", () => {
  test.use({ pace: 70 });

  test("eight tabs, three of them hidden, come to the same end", async ({ page, context }) => {
    test.setTimeout(180_000);
    // A browser gives a host six connections; a hidden tab must give its own back.
    await context.addInitScript(() => {
      let hidden = false;
      Object.defineProperty(document, "hidden", { get: () => hidden });
      Object.assign(window, { hide: (now: boolean) => ((hidden = now), document.dispatchEvent(new Event("visibilitychange", { bubbles: true }))) });
    });
    await begin(page);
    const tabs = [page];
    for (let i = 1; i < 8; i++) {
      const tab = await context.newPage();
      await open(tab, page.url());
      await expect(state(tab)).toHaveText("Running");
      tabs.push(tab);
      if (i > 4) {
        const released = tab.waitForEvent("requestfailed", (request) => request.url().includes("/api/events"));
        await tab.evaluate(() => (window as any).hide(true));
        await released;
      }
    }
    for (const tab of tabs.slice(0, 5)) await expect(state(tab)).toHaveText("Done", { timeout: 90_000 });
    for (const tab of tabs.slice(5)) {
      await tab.evaluate(() => (window as any).hide(false));
      await expect(state(tab)).toHaveText("Done");
    }
    const words = await Promise.all(tabs.map((tab) => thread(tab).innerText()));
    expect(new Set(words).size).toBe(1);
  });
});

test("a finished run is at rest, offline and back", async ({ page, context }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  await context.setOffline(true);
  await context.setOffline(false);
  await expect(page.getByText("The journey is complete", { exact: true })).toBeVisible();
  await expect(page.getByText("Reconnecting…")).toBeHidden();
});

test("back and forward lead between the springboard, the bench and the run", async ({ page }) => {
  await open(page, "/");
  await page.getByRole("link", { name: "Simulate" }).click();
  await expect(page.getByRole("heading", { name: "Journey simulator" })).toBeVisible();
  await page.getByRole("button", { name: "IT buyer" }).click();
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(state(page)).toHaveText("Done");
  const run = page.url();
  await page.goBack();
  await expect(page.getByRole("button", { name: "Start simulation" })).toBeVisible();
  await page.goForward();
  await expect(page).toHaveURL(run);
  await expect(state(page)).toHaveText("Done");
  for (const answer of await thread(page).locator(".msg.them").all()) await expect(answer).toHaveText(/\S+/);
  await page.goBack();
  await page.goBack();
  await expect(page.getByRole("list", { name: "Rooms" })).toBeVisible();
  await expect(page.getByRole("list", { name: "Recent runs" })).toContainText("Priya");
});

test("on a phone the details are a page back from the conversation", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  test.skip(!(await page.getByRole("link", { name: "Show details" }).isVisible()), "on a desk both are seen");
  await showDesk(page);
  await expect(page.getByRole("list", { name: "Journey phases" })).toBeVisible();
  await page.goBack();
  await expect(thread(page)).toBeVisible();
  await expect(page.getByRole("list", { name: "Journey phases" })).toBeHidden();
});

test("reset brings the customer back to the bench", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  await page.getByRole("link", { name: "Reset" }).click();
  await expect(page).toHaveURL(/\/demo\?from=[0-9a-f-]{36}$/);
  await expect(page.getByRole("textbox", { name: "Customer (ICP)" })).toHaveValue(/^Marta, 41/);
  await expect(page.getByRole("textbox", { name: "First question" })).toHaveValue(/card reader/);
});

test("a run of somebody else is not there", async ({ page, browser }) => {
  await begin(page);
  const stranger = await (await browser.newContext()).newPage();
  const response = await stranger.goto(page.url());
  expect(response?.status()).toBe(404);
  await expect(stranger.getByRole("heading", { name: "This conversation is not here." })).toBeVisible();
});
