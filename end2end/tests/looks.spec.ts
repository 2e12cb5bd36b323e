import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { begin, beginDebate, expect, open, showDesk, state, test, thread } from "../server";

const themes = ["light", "dark"] as const;

async function axe(page: Page) {
  // What has just come is still fading in.
  await page.evaluate(() => Promise.all(document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime)).map((one) => one.finished.catch(() => one))));
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
}

/** Where more and more comes, it is judged between two of them. */
async function axeMeanwhile(page: Page) {
  await expect(() => axe(page)).toPass();
}

async function shot(page: Page, name: string) {
  await page.screenshot({ path: `shots/${test.info().project.name}-${name}.png` });
}

for (const theme of themes) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });

    test(`home, bench, error and finished run: axe and pictures, ${theme}`, async ({ page }) => {
      await open(page, "/");
      await axe(page);
      await shot(page, `home-${theme}`);
      await open(page, "/demo");
      await axe(page);
      await shot(page, `empty-${theme}`);
      await page.getByRole("button", { name: "Start simulation" }).click();
      await expect(page.getByRole("textbox", { name: "Customer (ICP)" })).toHaveAccessibleDescription(/empty/);
      await axe(page);
      await shot(page, `error-${theme}`);
      await begin(page);
      await expect(state(page)).toHaveText("Done");
      await axe(page);
      await shot(page, `finished-${theme}`);
      await showDesk(page);
      await axe(page);
      await shot(page, `finished-desk-${theme}`);
      await open(page, "/nowhere");
      await axe(page);
      await shot(page, `not-found-${theme}`);
    });

    test(`a debate before and after, and the people in it: axe and pictures, ${theme}`, async ({ page }) => {
      await open(page, "/debate");
      await axe(page);
      await shot(page, `debate-empty-${theme}`);
      for (const name of ["Gandhi", "Alexander"]) await page.getByRole("checkbox", { name }).uncheck();
      await page.getByRole("button", { name: "Start debate" }).click();
      await expect(page.getByText("A debate needs 2 to 6 debaters; there are 1.")).toBeVisible();
      await axe(page);
      await shot(page, `debate-error-${theme}`);
      // Who is chosen is a draft, which stays.
      for (const name of ["Gandhi", "Alexander"]) await page.getByRole("checkbox", { name }).check();
      await open(page, "/debate/personas");
      await axe(page);
      await shot(page, `debate-personas-${theme}`);
      await beginDebate(page);
      await expect(state(page)).toHaveText("Done");
      await axe(page);
      await shot(page, `debate-finished-${theme}`);
      await showDesk(page);
      await axe(page);
      await shot(page, `debate-finished-desk-${theme}`);
      await open(page, page.url().replace(/(\?.*)?$/, "/replay"));
      await page.getByRole("button", { name: "Instant" }).click();
      await axe(page);
    });

    test.describe("slowly", () => {
      test.use({ pace: 60 });

      test(`a debate under way: axe and pictures, ${theme}`, async ({ page }) => {
        await beginDebate(page);
        await expect(thread(page).getByRole("article", { name: "Gandhi" })).toContainText(/(\S+\s+){6}/);
        await shot(page, `debate-streaming-${theme}`);
        await axeMeanwhile(page);
        await showDesk(page);
        await shot(page, `debate-streaming-desk-${theme}`);
        await axeMeanwhile(page);
        const back = page.getByRole("link", { name: "Show conversation" });
        if (await back.isVisible()) await back.click();
        await page.getByRole("button", { name: "Stop", exact: true }).click();
        await expect(state(page)).toHaveText("Stopped");
        await axe(page);
        await shot(page, `debate-stopped-${theme}`);
      });

      test(`streaming and stopped: axe and pictures, ${theme}`, async ({ page }) => {
        await begin(page);
        await expect(thread(page).locator(".msg.them").first()).toContainText(/(\S+\s+){20}/);
        await shot(page, `streaming-${theme}`);
        await axeMeanwhile(page);
        await page.getByRole("button", { name: "Stop", exact: true }).click();
        await expect(state(page)).toHaveText("Stopped");
        await axe(page);
        await shot(page, `stopped-${theme}`);
      });
    });
  });
}

test("the theme switch is kept", async ({ page }) => {
  test.skip(test.info().project.name === "phone", "the switch is on the desk's page");
  await open(page, "/");
  await page.getByRole("button", { name: "Switch theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Switch theme" }).click();
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("nothing is loaded from elsewhere, and nothing breaks the policy", async ({ page, server }) => {
  const foreign: string[] = [];
  const complaints: string[] = [];
  page.on("request", (request) => request.url().startsWith(server.url) || request.url().startsWith("data:") || foreign.push(request.url()));
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  expect(foreign).toEqual([]);
  expect(complaints).toEqual([]);
});
