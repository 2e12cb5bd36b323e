import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { answer, asked, begin, beginDebate, beginResearch, card, expect, open, showDesk, state, test, thread } from "../server";

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

    test(`research before, finished and reported: axe and pictures, ${theme}`, async ({ page }) => {
      await open(page, "/journey");
      await axe(page);
      await shot(page, `research-empty-${theme}`);
      await beginResearch(page);
      await asked(page, "earn its money");
      await axe(page);
      await shot(page, `research-waiting-${theme}`);
      await answer(page, 0);
      await expect(state(page)).toHaveText("Done");
      await axe(page);
      await shot(page, `research-finished-${theme}`);
      await page.getByRole("link", { name: "Read the section: Competitors" }).click();
      await expect(page.getByRole("dialog", { name: "Competitors" })).toBeFocused();
      await axe(page);
      await shot(page, `research-sheet-${theme}`);
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await showDesk(page);
      await page.getByRole("region", { name: "What we know" }).getByText("Industry", { exact: true }).click();
      await page.getByRole("textbox", { name: "Industry" }).fill("Retail technology");
      await axe(page);
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^Run \d sections again$/ }).waitFor();
      await axe(page);
      await shot(page, `research-stale-desk-${theme}`);
      await page.goto(page.url().replace(/[?#].*|$/, "/report"));
      await axe(page);
      await page.screenshot({ path: `shots/${test.info().project.name}-research-report-${theme}.png`, fullPage: true });
    });

    test.describe("with a researcher", () => {
      test.use({ researched: true });

      test(`research under way, stopped and sourced: axe and pictures, ${theme}`, async ({ page, library }) => {
        await beginResearch(page);
        await answer(page, 0, 3);
        await asked(page, "spend on marketing");
        await expect(card(page, "Competitors")).toContainText("Reading 2 sources");
        await axe(page);
        await shot(page, `research-streaming-${theme}`);
        await page.getByRole("button", { name: "Stop research: Competitors" }).click();
        await expect(card(page, "Competitors")).toContainText("Stopped by you.");
        library.write();
        await expect(card(page, "Customer fit")).toContainText("Read the section");
        await axe(page);
        await shot(page, `research-failed-${theme}`);
        await page.getByRole("link", { name: "2 sources: Customer fit" }).click();
        await expect(page.getByRole("dialog", { name: "Sources: Customer fit" })).toBeFocused();
        await axe(page);
        await shot(page, `research-sources-${theme}`);
      });
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
