import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { begin, expect, open, state, test, thread } from "../server";

test.use({ serviceWorkers: "allow" });

/** Until the worker has kept the offline page and answers for the pages that are opened from now on. */
const kept = (page: Page) => page.evaluate(async () => void (await navigator.serviceWorker.ready));

test("the site can be installed: its manifest is valid and its icons are there", async ({ page, request }) => {
  await open(page, "/");
  const address = await page.locator("link[rel=manifest]").getAttribute("href");
  const answer = await request.get(address!);
  expect(answer.headers()["content-type"]).toContain("application/manifest+json");
  const manifest = await answer.json();
  expect(manifest).toMatchObject({ name: "Colloquy", start_url: "/", display: "standalone" });
  const seen: string[] = [];
  for (const icon of [...manifest.icons, { src: "/apple-touch-icon.png", sizes: "180x180", type: "image/png" }]) {
    const file = await request.get(icon.src);
    expect(file.headers()["content-type"]).toBe(icon.type);
    if (icon.type !== "image/png") continue;
    const bytes = await file.body();
    expect(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`).toBe(icon.sizes);
    seen.push(`${icon.sizes} ${icon.purpose ?? "any"}`);
  }
  expect(seen).toEqual(expect.arrayContaining(["192x192 any", "512x512 any", "512x512 maskable"]));
});

test("what is kept is the offline page alone: no page, no run, no answer", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  await kept(page);
  await page.reload();
  await expect(state(page)).toHaveText("Done");
  const files = await page.evaluate(async () => {
    const names = await caches.keys();
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return { names, files: requests.flat().map((request) => new URL(request.url).pathname) };
  });
  expect(files.names).toHaveLength(1);
  expect(files.files).toContain("/offline.html");
  expect(files.files.filter((file) => !/\.(html|js|css|woff2|svg)$/.test(file))).toEqual([]);
});

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });

    test(`without a server the offline page says what is going on, and the page comes back with it, ${theme}`, async ({ page, server }) => {
      await begin(page);
      await expect(state(page)).toHaveText("Done");
      await kept(page);
      const run = page.url();
      await server.kill();
      await page.reload();
      await expect(page).toHaveURL(run);
      await expect(page.getByText("What was running goes on on the server. This page comes back by itself when the connection does.")).toBeVisible();
      await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
      expect(violations.map((violation) => violation.id)).toEqual([]);
      await page.screenshot({ path: `shots/${test.info().project.name}-offline-${theme}.png` });
      await page.getByRole("link", { name: "Try again" }).click();
      await expect(page.getByRole("link", { name: "Try again" })).toBeVisible();
      await server.start();
      await expect(thread(page)).toContainText("The journey is complete");
      await expect(state(page)).toHaveText("Done");
    });
  });
}
