import { type Page } from "@playwright/test";
import { begin, expect, open, showDesk, state, test, thread } from "../server";

const icp = (page: Page) => page.getByRole("textbox", { name: "Customer (ICP)" });
const query = (page: Page) => page.getByRole("textbox", { name: "First question" });

test("a finished run is run again with changes, and what is changed then survives a reload", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const first = page.url();
  await open(page, "/demo");
  await icp(page).fill("Ada, 30, collects clocks.");
  await page.goto(`/demo?from=${first.split("/").pop()}`);
  await page.locator("html[data-hydrated]").waitFor();
  await expect(icp(page)).toHaveValue(/^Marta, 41/);
  await query(page).fill("Which till suits a bakery?");
  await expect(page).toHaveURL(/\/demo$/);
  await page.reload();
  await page.locator("html[data-hydrated]").waitFor();
  await expect(query(page)).toHaveValue("Which till suits a bakery?");
  await expect(icp(page)).toHaveValue(/^Marta, 41/);
  await page.getByRole("button", { name: "Start simulation" }).click();
  await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
  expect(page.url()).not.toBe(first);
  await expect(thread(page)).toContainText("Which till suits a bakery?");
});

test("back from the bench leads to the run it was filled with", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  const run = page.url();
  await page.getByRole("link", { name: "Reset" }).click();
  await expect(icp(page)).toHaveValue(/^Marta, 41/);
  await query(page).fill("Another?");
  await page.goBack();
  await expect(page).toHaveURL(run);
  await expect(page.getByRole("link", { name: "Reset" })).toBeVisible();
});

test("the assistant under test has instructions of its own, and a new run takes them along", async ({ page }) => {
  await open(page, "/demo");
  await page.getByRole("button", { name: "Bakery owner" }).click();
  await page.getByText("Assistant", { exact: true }).click();
  await expect(page.getByRole("combobox", { name: "Model" })).toHaveText("Rehearsal: scripted answers, no AI model");
  const instructions = page.getByRole("textbox", { name: "Instructions" });
  await instructions.fill("x".repeat(4001));
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(instructions).toHaveAccessibleDescription(/4,001 characters; 4,000 are the most/);
  await instructions.fill("You are Umbrelio's assistant.");
  await page.getByRole("button", { name: "Start simulation" }).click();
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  await expect(page.getByText("You are Umbrelio's assistant.")).toBeVisible();
  await page.getByRole("link", { name: "Reset" }).click();
  await expect(page.getByRole("textbox", { name: "Instructions" })).toHaveValue("You are Umbrelio's assistant.");
});

test("a customer is saved, brought back and deleted", async ({ page }) => {
  await open(page, "/demo");
  await page.getByRole("button", { name: "Save this customer" }).click();
  await expect(icp(page)).toHaveAccessibleDescription(/empty/);
  await icp(page).fill("Ada, 30, collects clocks. Hates plastic.");
  await query(page).fill("Which clock is the most reliable?");
  await page.getByRole("button", { name: "Save this customer" }).click();
  await page.locator("html[data-hydrated]").waitFor();
  const saved = page.getByRole("list", { name: "Saved customers" });
  await expect(saved.getByRole("listitem")).toHaveCount(1);
  await expect(query(page)).toHaveValue("Which clock is the most reliable?");
  await page.getByRole("button", { name: "IT buyer" }).click();
  await saved.getByRole("link", { name: "Ada, 30, collects clocks" }).click();
  await expect(icp(page)).toHaveValue("Ada, 30, collects clocks. Hates plastic.");
  await page.locator("html[data-hydrated]").waitFor();
  await page.getByRole("button", { name: "Delete Ada, 30, collects clocks" }).click();
  await expect(saved).toHaveCount(0);
});

test("a turn in other words is a run of its own, linked both ways", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const parent = page.url();
  const second = thread(page).locator(".turn.mine").nth(1);
  await second.locator(".msg").click();
  await second.getByRole("link", { name: "Edit message 3" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}\/edit\/1$/);
  const words = page.getByRole("textbox", { name: "In other words" });
  await expect(words).toHaveValue(/\S+/);
  await words.fill("what is the MOST reliable card reader for a small bakery?");
  await page.getByRole("button", { name: "Go on from here" }).click();
  await expect(words).toHaveAccessibleDescription("The customer has asked exactly this before.");
  await expect(words).toHaveValue(/MOST/);
  await words.fill("What does it cost in a quiet month?");
  await page.getByRole("button", { name: "Go on from here" }).click();
  await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
  expect(page.url()).not.toBe(parent);
  await expect(state(page)).toHaveText("Done");
  await expect(thread(page)).toContainText("What is the most reliable card reader for a small bakery?");
  await expect(thread(page)).toContainText("What does it cost in a quiet month?");
  await page.locator("html[data-hydrated]").waitFor();
  await showDesk(page);
  await page.getByText("Continues from").getByRole("link").click();
  await expect(page).toHaveURL(parent);
  await expect(thread(page)).not.toContainText("What does it cost in a quiet month?");
  await showDesk(page);
  await expect(page.getByText("Also went on as").getByRole("link")).toHaveText(/“What does it cost in a quiet month\?”$/);
});

test("cancelling an edit changes nothing", async ({ page }) => {
  await begin(page);
  await expect(state(page)).toHaveText("Done");
  const run = page.url();
  await open(page, run.replace("/demo/", "/runs/") + "/edit/0");
  await page.getByRole("link", { name: "Cancel" }).click();
  await expect(page).toHaveURL(run);
  await showDesk(page);
  await expect(page.getByText("Also went on as")).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("customers are kept, runs are run again, and turns are edited", async ({ page }) => {
    await page.goto("/demo");
    await icp(page).fill("Ada, 30, collects clocks.");
    await query(page).fill("Which clock is the most reliable?");
    await page.getByRole("button", { name: "Save this customer" }).click();
    await expect(page.getByRole("list", { name: "Saved customers" }).getByRole("listitem")).toHaveCount(1);
    await expect(icp(page)).toHaveValue("Ada, 30, collects clocks.");
    await expect(query(page)).toHaveValue("Which clock is the most reliable?");
    await page.getByRole("button", { name: "Start simulation" }).click();
    await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
    const run = page.url();
    await expect(async () => {
      await page.reload();
      await expect(state(page)).toHaveText("Done", { timeout: 100 });
    }).toPass();
    await page.goto(`/demo?from=${run.split("/").pop()}`);
    await expect(query(page)).toHaveValue("Which clock is the most reliable?");
    await page.goto(run.replace("/demo/", "/runs/") + "/edit/1");
    await page.getByRole("textbox", { name: "In other words" }).fill("Does it strike at night?");
    await page.getByRole("button", { name: "Go on from here" }).click();
    await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
    await expect(thread(page)).toContainText("Does it strike at night?");
    await page.goto("/demo");
    await page.getByRole("button", { name: "Delete Ada, 30, collects clocks" }).click();
    await expect(page.getByRole("list", { name: "Saved customers" })).toHaveCount(0);
  });
});
