import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { begin, expect, open, state, test, thread } from "../server";

const position = (page: Page) => page.getByRole("slider", { name: "Position" });
const at = async (page: Page) => Number(await position(page).inputValue());

async function axe(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
}

/** A run that is over, and the words of its page. */
async function finished(page: Page) {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  await expect(thread(page)).toContainText("The journey is complete");
  // The Markdown parser comes when the first text is written.
  await expect(thread(page)).not.toContainText("**");
  return { run: page.url(), words: await thread(page).innerText() };
}

test("a finished run plays, is held, and ends as its page does", async ({ page }) => {
  const { run, words } = await finished(page);
  await page.getByRole("link", { name: "Replay" }).click();
  await expect(page).toHaveURL(`${run}/replay`);
  await expect(page.getByRole("status", { name: "Rehearsal" })).toHaveText("Rehearsal: scripted answers, no AI model");
  // It has begun by itself.
  await expect.poll(() => at(page)).toBeGreaterThan(0);
  await page.getByRole("button", { name: "Pause" }).click();
  const held = await at(page);
  const seen = await thread(page).innerText();
  expect(seen.length).toBeLessThan(words.length);
  await page.waitForTimeout(400);
  expect(await at(page)).toBe(held);
  await page.getByRole("button", { name: "4×" }).click();
  await expect(page.getByRole("button", { name: "4×" })).toHaveAttribute("aria-pressed", "true");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect.poll(() => at(page)).toBeGreaterThan(held);
  await page.getByRole("button", { name: "Instant" }).click();
  await expect(thread(page)).toContainText("The journey is complete");
  await expect.poll(() => thread(page).innerText()).toBe(words);
  await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
});

test("the slider goes back and forth with the keyboard and says where it is", async ({ page }) => {
  const { run, words } = await finished(page);
  await open(page, `${run}/replay`);
  await page.getByRole("button", { name: "Pause" }).click();
  await position(page).focus();
  await page.keyboard.press("End");
  await expect(position(page)).toHaveAttribute("aria-valuetext", /^(\d+) of \1 seconds, all phases · \d+ steps$/);
  await expect.poll(() => thread(page).innerText()).toBe(words);
  await page.keyboard.press("Home");
  await expect(position(page)).toHaveAttribute("aria-valuetext", /^0 of \d+ seconds, Discovery · step 1 of 15$/);
  await expect(thread(page)).not.toContainText("Discovery complete");
  await expect(async () => {
    await page.keyboard.press("PageUp");
    await expect(thread(page)).toContainText("Discovery complete", { timeout: 500 });
  }).toPass({ intervals: [0] });
  const middle = await thread(page).innerText();
  await page.reload();
  await page.locator("html[data-hydrated]").waitFor();
  expect(middle.length).toBeLessThan(words.length);
  await expect(thread(page)).toContainText("What is the most reliable card reader for a small bakery?");
});

test("a text is seen being written", async ({ page }) => {
  const { run } = await finished(page);
  // A busy machine may miss it; then it is played once more.
  await expect(async () => {
    await open(page, `${run}/replay`);
    const answer = thread(page).locator(".msg.them").first();
    const lengths = new Set<number>();
    const seen = async () => lengths.add((await answer.innerText().catch(() => "")).length).size;
    await expect.poll(seen, { intervals: [50], timeout: 8_000 }).toBeGreaterThan(4);
  }).toPass();
});

test.describe("without movement", () => {
  test.use({ contextOptions: { reducedMotion: "reduce" } });

  test("nothing moves by itself, and it goes by whole messages", async ({ page }) => {
    const { run } = await finished(page);
    await open(page, `${run}/replay`);
    await expect(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
    expect(await at(page)).toBe(0);
    await page.getByRole("button", { name: "Play", exact: true }).click();
    await expect(thread(page).locator(".msg.them").first()).toHaveText(/\S+/);
  });
});

test.describe("slowly", () => {
  test.use({ pace: 60 });

  test("a run that goes on is not replayed but shown where it is", async ({ page }) => {
    await begin(page);
    const run = page.url();
    await expect(page.getByRole("link", { name: "Replay" })).toHaveCount(0);
    await open(page, `${run}/replay`);
    await expect(page.getByText("This conversation is not over yet.")).toBeVisible();
    await page.getByRole("link", { name: "Watch it live" }).click();
    await expect(page).toHaveURL(run);
    await expect(state(page)).toHaveText("Running");
  });
});

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });

    test(`replay, edit, and a bench with everything on it: axe and pictures, ${theme}`, async ({ page }) => {
      const shot = (name: string) => page.screenshot({ path: `shots/${test.info().project.name}-${name}-${theme}.png` });
      const { run } = await finished(page);
      await open(page, `${run}/replay`);
      await page.getByRole("button", { name: "Instant" }).click();
      await axe(page);
      await shot("replay");
      await open(page, run.replace("/demo/", "/runs/") + "/edit/0");
      await axe(page);
      await shot("edit");
      await open(page, `/demo?from=${run.split("/").pop()}`);
      await page.getByRole("button", { name: "Save this customer" }).click();
      await page.getByRole("list", { name: "Saved customers" }).waitFor();
      await page.locator("html[data-hydrated]").waitFor();
      await page.getByText("Assistant", { exact: true }).click();
      await axe(page);
      await shot("bench-full");
    });
  });
}
