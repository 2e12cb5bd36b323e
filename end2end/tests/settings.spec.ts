import AxeBuilder from "@axe-core/playwright";
import { type Page } from "@playwright/test";
import { ADMIN_TOKEN, expect, open, test } from "../server";

async function axe(page: Page) {
  const { violations } = await new AxeBuilder({ page }).withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]).analyze();
  expect(violations.map((v) => `${v.id}: ${v.nodes.map((node) => node.target.join(" ")).join(", ")}`)).toEqual([]);
}

async function shot(page: Page, name: string) {
  await page.screenshot({ path: `shots/${test.info().project.name}-${name}.png` });
}

async function logIn(page: Page) {
  await page.goto("/settings/models");
  await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
  await page.getByRole("button", { name: "Log in" }).click();
  await expect(page.getByRole("heading", { name: "Models" })).toBeVisible();
}

test("a wrong token is refused, the right one opens the table", async ({ page }) => {
  await page.goto("/settings/models");
  const token = page.getByLabel("Admin token");
  await token.fill("not-the-token-of-the-tests");
  await token.press("Enter");
  await expect(token).toHaveAccessibleDescription(/This is not the admin token/);
  await token.fill(ADMIN_TOKEN);
  await token.press("Enter");
  await expect(page).toHaveURL(/\/settings\/models$/);
  const table = page.getByRole("table", { name: "Roles" });
  for (const role of ["simulator", "assistant", "interviewer", "synthesist", "debater", "summariser"]) {
    await expect(table.locator("tr", { hasText: role })).toContainText("rehearsal");
    await expect(table.locator("tr", { hasText: role })).toContainText("Needs none");
  }
  await page.reload();
  await expect(table).toBeVisible();
});

test("a test of a role says how long it took", async ({ page }) => {
  await logIn(page);
  await page.getByRole("button", { name: "Test assistant" }).click();
  await expect(page.getByText(/assistant answered in \d+\.\d\d s, the first word after \d+\.\d\d s\./)).toBeVisible();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("it is all the same", async ({ page }) => {
    await logIn(page);
    await page.getByRole("button", { name: "Test simulator" }).click();
    await expect(page.getByText(/simulator answered in/)).toBeVisible();
  });
});

test("the door says that it is open where no code is asked for", async ({ page }) => {
  await page.goto("/access");
  await expect(page.getByRole("heading", { name: "The door is open" })).toBeVisible();
  await page.getByRole("link", { name: "Go on" }).click();
  await expect(page.getByRole("list", { name: "Rooms" })).toBeVisible();
});

test.describe("where strangers can reach it", () => {
  test.use({ strangers: true, environment: { COLLOQUY_ACCESS_CODE: "open sesame", OPENAI_BASE_URL: "http://127.0.0.1:9/v1", COLLOQUY_MODEL: "openai:gpt-4o" } });

  test("the code is asked for once, on the way, and nothing that was typed is lost", async ({ page }) => {
    await open(page, "/demo");
    await page.getByRole("button", { name: "Bakery owner" }).click();
    await page.getByRole("button", { name: "Start simulation" }).click();
    await page.getByRole("link", { name: "Enter the code" }).click();
    await expect(page).toHaveURL(/\/access$/);
    await page.getByLabel("Access code").fill("open barley");
    await page.getByRole("button", { name: "Enter" }).click();
    await expect(page.getByLabel("Access code")).toHaveAccessibleDescription(/This is not the access code/);
    await page.getByLabel("Access code").fill("open sesame");
    await page.getByRole("button", { name: "Enter" }).click();
    await expect(page).toHaveURL(/\/demo$/);
    await expect(page.getByRole("textbox", { name: "Customer (ICP)" })).toHaveValue(/^Marta, 41/);
    await page.getByRole("button", { name: "Start simulation" }).click();
    await page.waitForURL(/\/demo\/[0-9a-f-]{36}$/);
  });

  for (const theme of ["light", "dark"] as const) {
    test.describe(theme, () => {
      test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });

      test(`the door: axe and pictures, ${theme}`, async ({ page }) => {
        await page.goto("/access");
        await axe(page);
        await shot(page, `access-${theme}`);
      });
    });
  }
});

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme, contextOptions: { reducedMotion: "reduce" } });

    test(`login, error, table and result: axe and pictures, ${theme}`, async ({ page }) => {
      await page.goto("/settings/models");
      await axe(page);
      await shot(page, `login-${theme}`);
      await page.getByLabel("Admin token").fill("not-the-token-of-the-tests");
      await page.getByRole("button", { name: "Log in" }).click();
      await axe(page);
      await shot(page, `login-error-${theme}`);
      await logIn(page);
      await axe(page);
      await shot(page, `models-${theme}`);
      await page.getByRole("button", { name: "Test assistant" }).click();
      await expect(page.getByText(/assistant answered in/)).toBeVisible();
      await axe(page);
      await shot(page, `models-tested-${theme}`);
    });
  });
}
