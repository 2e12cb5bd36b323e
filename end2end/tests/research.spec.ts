import { type Page } from "@playwright/test";
import { answer, asked, beginResearch as begin, card, choices, choose, expect, open, say, type Section, showDesk, state, test, thread } from "../server";

const SECTIONS: Section[] = ["Industry and market", "Competitors", "Customer fit", "Offer", "What it adds up to"];

const said = (page: Page) => thread(page).locator(".msg.me");
const message = (page: Page) => page.getByRole("textbox", { name: "Message" });
const known = (page: Page) => page.getByRole("region", { name: "What we know" });
const field = (page: Page, name: string) => known(page).getByRole("group").filter({ has: page.locator("summary b", { hasText: name }) });

/** Back to the conversation, where the desk had its place. */
async function showPhone(page: Page) {
  const back = page.getByRole("link", { name: "Show conversation" });
  if (await back.isVisible()) await back.click();
  await thread(page).waitFor();
}

/** Writes another value into a field of what is known, and leaves it there. */
async function write(page: Page, name: string, value: string) {
  await field(page, name).locator("summary").click();
  await known(page).getByRole("textbox", { name, exact: true }).fill(value);
}

async function research(page: Page) {
  return (await page.request.get(`/api/runs/${page.url().split(/[/?#]/)[4]}`)).json();
}

for (const theme of ["light", "dark"] as const) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme });

    test(`from the first question to the printed report, with a correction half way, ${theme}`, async ({ page }) => {
      await begin(page);
      await expect(page.getByRole("status", { name: "Rehearsal" })).toHaveText("Rehearsal: scripted answers, no AI model");
      await expect(said(page)).toHaveText(/^We are Crumbtill/);
      await answer(page, 0, 3);
      await asked(page, "spend on marketing");
      for (const section of ["Industry and market", "Competitors", "Customer fit"] as const) await expect(card(page, section)).toContainText("Read the section");

      await showDesk(page);
      await write(page, "Industry", "Retail technology");
      await page.keyboard.press("Enter");
      await expect(field(page, "Industry")).toContainText("Retail technology");
      await page.getByRole("button", { name: "Run 3 sections again" }).click();
      await expect(page.getByRole("button", { name: /^Run \d sections? again$/ })).toHaveCount(0);
      await showPhone(page);
      await expect(card(page, "Industry and market")).toContainText("“Retail technology”");
      await expect(card(page, "Industry and market")).not.toContainText("Stale");

      await answer(page, 3);
      await expect(state(page)).toHaveText("Done");
      for (const section of SECTIONS) await expect(card(page, section)).toContainText(/\d\.\d s/);
      await expect(page.getByRole("heading", { name: "What it comes to" })).toBeVisible();
      await page.getByRole("link", { name: "Open the report" }).click();

      await expect(page).toHaveURL(/\/report$/);
      await expect(page.getByRole("heading", { name: "Crumbtill", level: 1 })).toBeVisible();
      await expect(page.locator("#known")).toContainText("Retail technology");
      for (const section of SECTIONS) await expect(page.getByRole("main").getByRole("heading", { name: section, level: 2 })).toBeVisible();
      await page.evaluate(() => Object.assign(window, { print: () => document.documentElement.setAttribute("data-printed", "") }));
      await page.getByRole("button", { name: "Print or save as PDF" }).click();
      await expect(page.locator("html")).toHaveAttribute("data-printed");
      const pdf = (await page.pdf({ format: "A4" })).toString("latin1");
      expect(pdf.slice(0, 5)).toBe("%PDF-");
      expect(pdf.match(/\/Type\s*\/Page\b/g)!.length).toBeGreaterThan(1);
      const [markdown, json] = await Promise.all(["md", "json"].map((kind) => page.request.get(`${page.url()}.${kind}`)));
      expect(await markdown.text()).toContain("# Crumbtill");
      const told = await json.json();
      expect(told.known.industry).toBe("Retail technology");
      expect(told.sections.map((section: { status: string }) => section.status)).toEqual(SECTIONS.map(() => "complete"));
    });
  });
}

test("an opening of one's own is taken up, and without one the interviewer begins", async ({ page }) => {
  await open(page, "/journey");
  await page.getByRole("textbox", { name: "What are you working on?" }).fill("We sell bread to hotels.");
  await page.getByRole("button", { name: "Start conversation" }).click();
  await expect(said(page)).toHaveText("We sell bread to hotels.");
  await asked(page, "?");
  await open(page, "/journey");
  await page.getByRole("textbox", { name: "What are you working on?" }).fill("");
  await page.getByRole("button", { name: "Start conversation" }).click();
  await page.waitForURL(/\/journey\/[0-9a-f-]{36}$/);
  await expect(thread(page).locator(".msg.them")).toContainText("Hello. I will ask you about your business");
  await expect(said(page)).toHaveCount(0);
});

test("a question is answered by chips, by words, or by neither", async ({ page }) => {
  await begin(page);
  await asked(page, "earn its money");
  await expect(choices(page).getByRole("button")).toHaveCount(8);
  for (const name of ["A fee per transaction", "One-off sales", "Subscription", "Services, by time", "Licences", "Something else…", "Done", "Skip"]) await expect(choices(page).getByRole("button", { name, exact: true })).toBeVisible();
  // Nothing is chosen yet: that is no answer.
  await choices(page).getByRole("button", { name: "Done" }).click();
  const fee = choices(page).getByRole("button", { name: "A fee per transaction" });
  await fee.click();
  await expect(fee).toHaveAttribute("aria-pressed", "true");
  await fee.press("Enter");
  await expect(fee).toHaveAttribute("aria-pressed", "false");
  await choose(page, "A fee per transaction", "Licences");
  await expect(said(page).last()).toHaveText("A fee per transaction, Licences");

  await asked(page, "choose today instead");
  await choices(page).getByRole("button", { name: "Something else…" }).click();
  await expect(message(page)).toBeFocused();
  await page.keyboard.insertText("A tin with a slot.");
  await page.keyboard.press("Enter");
  await expect(said(page).last()).toHaveText("A tin with a slot.");
  await expect(message(page)).toHaveValue("");

  await asked(page, "Which industry");
  await choose(page, "Payments");
  await expect(thread(page).locator(".msg.me", { hasText: /^Payments$/ })).toHaveCount(1);
  await asked(page, "spend on marketing");
  await choices(page).getByRole("button", { name: "Skip" }).click();
  await asked(page, "cost, and what is included");
  await expect(thread(page)).toContainText("That is fine, we can leave it open.");
  await showDesk(page);
  await expect(field(page, "Monthly budget")).toContainText("Not known");
  await expect(field(page, "Business model")).toContainText("A fee per transaction, Licences");
});

test("a field is kept by Enter, by Save and by leaving it, and taken back by Escape", async ({ page }) => {
  await begin(page);
  await asked(page, "earn its money");
  await showDesk(page);
  const product = field(page, "Product");
  const box = known(page).getByRole("textbox", { name: "Product", exact: true });
  await product.locator("summary").click();
  await expect(box).toBeFocused();
  await box.fill("A tin with a slot");
  await box.press("Escape");
  await expect(box).toBeHidden();
  await expect(product.locator("summary")).toBeFocused();
  await expect(product).toContainText("a card reader that goes on taking payments");
  await write(page, "Product", "A card reader");
  await box.press("Enter");
  await expect(product.locator(".value")).toHaveText("A card reader");
  await expect(box).toBeHidden();
  await write(page, "Product", "Two card readers");
  await page.getByRole("button", { name: "Save Product" }).click();
  await expect(product.locator(".value")).toHaveText("Two card readers");
  await write(page, "Product", "Three card readers");
  await field(page, "Company").locator("summary").click();
  await expect(product.locator(".value")).toHaveText("Three card readers");
  await page.reload();
  await expect(product.locator(".value")).toHaveText("Three card readers");
});

test("what rests on a changed answer is marked, stays readable, and is run again alone", async ({ page }) => {
  await begin(page);
  await answer(page, 0);
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  await write(page, "Offer and pricing", "£19 a month");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: "Run 2 sections again" })).toBeVisible();
  await showPhone(page);
  for (const section of ["Offer", "What it adds up to"] as const) await expect(card(page, section)).toContainText("Stale");
  await expect(card(page, "Offer")).toContainText("Found before this was changed: Offer and pricing.");
  await expect(card(page, "Offer")).toContainText("“£29 for the reader, then 1.5% of sales”");
  await expect(card(page, "Competitors")).not.toContainText("Stale");
  await card(page, "Offer").getByRole("button", { name: "Run again: Offer" }).click();
  await expect(card(page, "Offer")).toContainText("“£19 a month”");
  await expect(card(page, "What it adds up to")).toContainText("Stale");
  await showDesk(page);
  await page.getByRole("button", { name: "Run 1 section again" }).click();
  await expect(page.getByRole("list", { name: "Sections" }).locator("li.done")).toHaveCount(5);
  await showPhone(page);
  await expect(state(page)).toHaveText("Done");
  await expect(thread(page).getByRole("heading", { name: "What it comes to" })).toHaveCount(2);
});

test("a section is read in a sheet over the phone, and the focus comes back", async ({ page }) => {
  await begin(page);
  await answer(page, 0, 3);
  await asked(page, "spend on marketing");
  const link = card(page, "Competitors").getByRole("link", { name: "Read the section: Competitors" });
  await link.click();
  const sheet = page.getByRole("dialog", { name: "Competitors" });
  await expect(sheet).toBeFocused();
  await expect(sheet.getByRole("heading", { name: "Who is there" })).toBeVisible();
  // It lies on the phone's lower edge, and has pushed nothing away.
  const bottom = async (selector: string) => page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
  await expect.poll(() => bottom(".bottom-sheet[aria-label=Competitors]")).toBe(await bottom(".screen"));
  await page.keyboard.press("Tab");
  await expect(sheet.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(sheet).toBeHidden();
  await expect(link).toBeFocused();
  await link.click();
  await sheet.getByRole("button", { name: "Close" }).click();
  await expect(sheet).toBeHidden();
  await expect(link).toBeFocused();
});

test("the list of sections leads to their cards", async ({ page }) => {
  await begin(page);
  await answer(page, 0);
  await expect(state(page)).toHaveText("Done");
  await showDesk(page);
  const list = page.getByRole("list", { name: "Sections" });
  await expect(list.locator("li.done")).toHaveCount(5);
  await list.getByRole("link", { name: "Industry and market" }).click();
  await expect(page).toHaveURL(/#card-industryMarket$/);
  await expect(card(page, "Industry and market")).toBeInViewport();
  await expect(card(page, "Industry and market").getByRole("heading")).toBeInViewport();
});

test("whoever reads near the end is taken along when a whole card comes", async ({ page }) => {
  await begin(page);
  await answer(page, 0, 2);
  await asked(page, "Which industry");
  await thread(page).evaluate((log) => (log.scrollTop = -40));
  await choose(page, "Payments");
  await asked(page, "spend on marketing");
  await expect(choices(page).getByRole("button", { name: "Skip" })).toBeInViewport();
  await expect.poll(() => thread(page).evaluate((log) => log.scrollTop)).toBe(0);
  await expect(page.getByRole("button", { name: "new" })).toHaveCount(0);
});

test("on a phone the ring leads to what is known, and back", async ({ page }) => {
  await begin(page);
  await asked(page, "earn its money");
  const ring = page.getByRole("link", { name: "What we know: 3 of 8 answers · 0 of 5 sections" });
  test.skip(!(await ring.isVisible()), "on a desk both are seen");
  await ring.click();
  await expect(known(page)).toBeVisible();
  await expect(thread(page)).toBeHidden();
  await page.goBack();
  await expect(thread(page)).toBeVisible();
  await expect(known(page)).toBeHidden();
});

test("a double click is one click, on a chip and on Send", async ({ page }) => {
  await begin(page);
  await answer(page, 0, 1);
  await asked(page, "choose today instead");
  await message(page).fill("SumUp and Zettle, mostly.");
  await page.getByRole("button", { name: "Send", exact: true }).dblclick();
  await asked(page, "Which industry");
  await choices(page).getByRole("button", { name: "Payments" }).dblclick();
  await asked(page, "spend on marketing");
  await expect(said(page).filter({ hasText: "SumUp and Zettle" })).toHaveCount(1);
  await expect(said(page)).toHaveCount(4);
});

test("a second tab shows the same, and both can answer", async ({ page, context }) => {
  await begin(page);
  const other = await context.newPage();
  await open(other, page.url());
  await answer(other, 0, 1);
  await answer(page, 1, 2);
  await answer(other, 2, 3);
  await asked(page, "spend on marketing");
  await asked(other, "spend on marketing");
  await expect(card(other, "Customer fit")).toContainText("Read the section");
  await expect(card(page, "Customer fit")).toContainText("Read the section");
  expect(await said(page).allInnerTexts()).toEqual(await said(other).allInnerTexts());
});

test("a choice that comes too late changes nothing", async ({ page, context }) => {
  await begin(page);
  await answer(page, 0, 2);
  await asked(page, "Which industry");
  const other = await context.newPage();
  await open(other, page.url());
  await other.route("**/api/fn/tell_research", async (route) => {
    await asked(page, "spend on marketing");
    await route.continue();
  });
  await asked(other, "Which industry");
  const late = other.waitForResponse("**/api/fn/tell_research");
  await choose(other, "Retail technology");
  await choose(page, "Payments");
  expect((await late).ok()).toBe(true);
  await asked(other, "spend on marketing");
  await expect(said(other).last()).toHaveText("Payments");
  await expect(said(other)).toHaveCount(4);
});

test("words whose answer was lost on the way are sent again, and said once", async ({ page }) => {
  await begin(page);
  await answer(page, 0, 1);
  await asked(page, "choose today instead");
  let lost = 1;
  await page.route("**/api/fn/tell_research", async (route) => {
    if (lost-- <= 0) return route.continue();
    await route.fetch();
    await route.abort();
  });
  const again = page.waitForResponse("**/api/fn/tell_research");
  await say(page, "SumUp and Zettle, mostly.");
  expect((await again).ok()).toBe(true);
  await asked(page, "Which industry");
  await expect(message(page)).toHaveValue("");
  await expect(said(page).filter({ hasText: "SumUp and Zettle" })).toHaveCount(1);
  await expect(said(page)).toHaveCount(3);
});

test("what is said while the server is away is sent when it is back", async ({ page, server }) => {
  await begin(page);
  await answer(page, 0, 1);
  await asked(page, "choose today instead");
  await server.kill();
  await expect(page.getByText("Reconnecting…")).toBeVisible();
  await say(page, "SumUp and Zettle, mostly.");
  await expect(page.getByText("Will be sent when the connection is back.")).toBeVisible();
  await server.start();
  await asked(page, "Which industry");
  await expect(said(page).filter({ hasText: "SumUp and Zettle" })).toHaveCount(1);
  await expect(message(page)).toHaveValue("");
});

test("what is heard is no Markdown", async ({ page }) => {
  await begin(page);
  await answer(page, 0);
  await expect(state(page)).toHaveText("Done");
  const heard = page.locator("[aria-live=polite]").filter({ hasText: /\S/ });
  await expect(heard).toHaveText(/It is summed up\.$/);
});

test("a draft and an open question are still there after a refresh", async ({ page }) => {
  await begin(page);
  await asked(page, "earn its money");
  await message(page).fill("Half of an ans");
  await page.reload();
  await page.locator("html[data-hydrated]").waitFor();
  await expect(state(page)).toHaveText("Waiting");
  await expect(message(page)).toHaveValue("Half of an ans");
  await message(page).fill("");
  await answer(page, 0, 1);
  await asked(page, "choose today instead");
});

test("what is typed offline is kept, and sent once when the connection is back", async ({ page, context }) => {
  await begin(page);
  await answer(page, 0, 1);
  await asked(page, "choose today instead");
  await context.setOffline(true);
  await say(page, "SumUp and Zettle, mostly.");
  await expect(page.getByText("Will be sent when the connection is back.")).toBeVisible();
  await expect(message(page)).toHaveValue("SumUp and Zettle, mostly.");
  await context.setOffline(false);
  await asked(page, "Which industry");
  await expect(message(page)).toHaveValue("");
  await expect(said(page).filter({ hasText: "SumUp and Zettle" })).toHaveCount(1);
});

test("an answer in other words is a run of its own, linked both ways", async ({ page }) => {
  await begin(page);
  await answer(page, 0, 1);
  await asked(page, "choose today instead");
  const parent = page.url();
  await said(page).last().click();
  await page.getByRole("link", { name: "Edit message 3" }).click();
  await expect(page).toHaveURL(/\/runs\/[0-9a-f-]{36}\/edit\/1$/);
  const words = page.getByRole("textbox", { name: "In other words" });
  await expect(words).toHaveValue("A fee per transaction, Subscription");
  await words.fill("Licences");
  await page.getByRole("button", { name: "Go on from here" }).click();
  await page.waitForURL(/\/journey\/[0-9a-f-]{36}$/);
  expect(page.url()).not.toBe(parent);
  await page.locator("html[data-hydrated]").waitFor();
  await asked(page, "choose today instead");
  await expect(said(page).last()).toHaveText("Licences");
  await showDesk(page);
  await expect(field(page, "Business model")).toContainText("Licences");
  await page.getByText("Continues from").getByRole("link").click();
  await expect(page).toHaveURL(parent);
  await showDesk(page);
  await expect(field(page, "Business model")).toContainText("A fee per transaction, Subscription");
  await expect(page.getByText("Also went on as").getByRole("link")).toBeVisible();
});

test("a finished conversation is played again", async ({ page }) => {
  await begin(page);
  await answer(page, 0);
  await expect(state(page)).toHaveText("Done");
  const run = page.url().split(/[?#]/)[0];
  const spoken = await thread(page).locator(".msg").allTextContents();
  await open(page, `${run}/replay`);
  await page.getByRole("button", { name: "Instant" }).click();
  await expect(thread(page).locator(".msg")).toHaveText(spoken);
  for (const section of SECTIONS) await expect(card(page, section)).toContainText("Read the section");
  await expect(choices(page)).toHaveCount(0);
});

test("a conversation of somebody else is not there, nor is its report", async ({ page, browser }) => {
  await begin(page);
  await asked(page, "earn its money");
  const stranger = await (await browser.newContext()).newPage();
  for (const path of ["", "/report", "/report.md", "/report.json", "/replay"]) expect((await stranger.request.get(page.url() + path)).status()).toBe(404);
});

test("nothing breaks the policy, and no script fails", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  await begin(page);
  await answer(page, 0);
  await expect(state(page)).toHaveText("Done");
  await card(page, "Offer").getByRole("link", { name: "Read the section: Offer" }).click();
  await expect(page.getByRole("dialog", { name: "Offer" })).toBeFocused();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Open the report" }).click();
  await expect(page).toHaveURL(/\/report$/);
  expect(complaints).toEqual([]);
});

test.describe("slowly", () => {
  test.use({ pace: 60 });

  const speaks = (page: Page) => thread(page).locator(".msg.them").last();

  test("the interviewer's words stream, are stopped and continued, and a refresh in between loses nothing", async ({ page }) => {
    await begin(page);
    await expect(state(page)).toHaveText("Running");
    await expect(speaks(page)).toContainText(/(\S+\s+){4}/);
    const early = (await speaks(page).innerText()).length;
    await expect.poll(async () => (await speaks(page).innerText()).length).toBeGreaterThan(early);
    await page.reload();
    await expect(speaks(page)).toContainText(/(\S+\s+){6}/);
    await page.locator("html[data-hydrated]").waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(state(page)).toHaveText("Stopped");
    await expect(speaks(page)).toContainText(/(\S+\s+){4}[^]*stopped$/);
    await page.reload();
    await expect(speaks(page)).toContainText(/stopped$/);
    await page.locator("html[data-hydrated]").waitFor();
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(state(page)).toHaveText(/Running|Waiting/);
    await expect(speaks(page)).not.toContainText("stopped");
    await asked(page, "earn its money");
    await expect(thread(page).locator(".msg.them")).toHaveCount(1);
  });

  test("the bare page offers the unfinished conversation", async ({ page }) => {
    await begin(page);
    const run = page.url();
    await open(page, "/journey");
    await page.getByRole("link", { name: "Continue where you were" }).click();
    await expect(page).toHaveURL(run);
    await asked(page, "earn its money");
  });
});

test.describe("while it is looked up", () => {
  test.use({ researched: true });

  /** Until two sections are under way, and the next question is open. */
  async function lookUp(page: Page) {
    await begin(page);
    await answer(page, 0, 3);
    await asked(page, "spend on marketing");
    await expect(card(page, "Competitors")).toContainText("Reading 2 sources");
  }

  test("cards show what is done while one goes on talking, and then what was found and where", async ({ page, library }) => {
    await lookUp(page);
    await expect(state(page)).toHaveText("Running");
    await expect(card(page, "Industry and market").getByRole("listitem")).toHaveText(["Searching “Industry and market of bakeries”", "Reading 2 sources"]);
    await expect(card(page, "Customer fit")).toHaveCount(0);
    await answer(page, 3, 4);
    await asked(page, "cost, and what is included");
    library.write();
    await expect(card(page, "Customer fit")).toContainText("Read the section");
    const market = card(page, "Industry and market");
    await expect(market).toContainText(/\d+(\.\d)? s/);
    await market.getByRole("link", { name: "2 sources: Industry and market" }).click();
    const sheet = page.getByRole("dialog", { name: "Sources: Industry and market" });
    await expect(sheet).toBeFocused();
    await expect(sheet.getByRole("link", { name: "Industry and market: page 1" })).toHaveAttribute("href", "https://pages.example/1");
    await expect(sheet.getByRole("link", { name: "Industry and market: page 1" })).toHaveAttribute("rel", /noopener/);
    await page.keyboard.press("Escape");
    await expect(market.getByRole("link", { name: "2 sources: Industry and market" })).toBeFocused();
  });

  test("one section is stopped, and tried again", async ({ page, library }) => {
    await lookUp(page);
    const market = card(page, "Industry and market");
    await market.getByRole("button", { name: "Stop research: Industry and market" }).click();
    await expect(market).toContainText("Stopped by you.");
    await expect(card(page, "Competitors")).toContainText("Reading 2 sources");
    library.write();
    await expect(card(page, "Competitors")).toContainText("Read the section");
    await page.getByRole("button", { name: "Retry", exact: true }).click();
    await expect(market).toContainText("Read the section");
    expect(library.asked.filter((section) => section === "Industry and market")).toHaveLength(2);
    await expect(page.getByRole("button", { name: "Retry", exact: true })).toHaveCount(0);
  });

  test("the server is killed meanwhile and started again: the page comes back, and no section is there twice", async ({ page, server, library }) => {
    await lookUp(page);
    await server.kill();
    await expect(page.getByText("Reconnecting…")).toBeVisible();
    library.write();
    await server.start();
    await expect(page.getByText("Reconnecting…")).toBeHidden();
    await expect(card(page, "Customer fit")).toContainText("Read the section");
    await answer(page, 3);
    await expect(state(page)).toHaveText("Done");
    for (const section of SECTIONS) await expect(card(page, section)).toHaveCount(1);
    const run = await research(page);
    expect(run.state.studies.map((study: { attempts: number }) => study.attempts)).toEqual([1, 1, 1, 1, 1]);
  });

  test("the run is stopped and continued meanwhile", async ({ page, library }) => {
    await lookUp(page);
    await showDesk(page);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(page.getByRole("list", { name: "Sections" }).getByText("stopped", { exact: true })).toHaveCount(2);
    await showPhone(page);
    await expect(state(page)).toHaveText("Stopped");
    await expect(card(page, "Competitors")).toContainText("It goes on when the conversation is continued.");
    library.write();
    await page.reload();
    await page.locator("html[data-hydrated]").waitFor();
    await expect(state(page)).toHaveText("Stopped");
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect(card(page, "Customer fit")).toContainText("Read the section");
    await answer(page, 3);
    await expect(state(page)).toHaveText("Done");
    for (const section of SECTIONS) await expect(card(page, section)).toHaveCount(1);
  });

  test("a refresh shows what is under way", async ({ page, library }) => {
    await lookUp(page);
    await page.reload();
    await expect(card(page, "Competitors")).toContainText("Reading 2 sources");
    await page.locator("html[data-hydrated]").waitFor();
    library.write();
    await expect(card(page, "Customer fit")).toContainText("Read the section");
    expect(library.asked).toHaveLength(3);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  /** Nothing comes by itself. */
  async function until(page: Page, words: string | RegExp, status = "Waiting") {
    await expect(async () => {
      await page.reload();
      await expect(state(page)).toHaveText(status, { timeout: 100 });
      await expect(thread(page)).toContainText(words, { timeout: 100 });
    }).toPass();
  }

  test("a conversation is begun, answered, put right, and its report is read", async ({ page }) => {
    test.setTimeout(120_000);
    await page.goto("/journey");
    await page.getByRole("button", { name: "Card reader for bakeries" }).click();
    await page.waitForURL(/\/journey\/[0-9a-f-]{36}$/);
    await until(page, "earn its money");
    await choices(page).getByRole("checkbox", { name: "Licences" }).check();
    await choices(page).getByRole("button", { name: "Done" }).click();
    await until(page, "choose today instead");
    await say(page, "SumUp and Zettle, mostly.");
    await until(page, "Which industry");
    await choices(page).getByRole("button", { name: "Payments" }).click();
    await until(page, "spend on marketing");
    await choices(page).getByRole("button", { name: "Skip" }).click();
    await until(page, "cost, and what is included");
    await expect(said(page)).toHaveText([/^We are Crumbtill/, "Licences", "SumUp and Zettle, mostly.", "Payments", /\S+/]);

    await showDesk(page);
    await write(page, "Industry", "Retail technology");
    await page.getByRole("button", { name: "Save Industry" }).click();
    await showDesk(page);
    await expect(field(page, "Industry").locator(".value")).toHaveText("Retail technology");
    await page.getByRole("link", { name: /^Report/ }).click();
    await expect(page).toHaveURL(/\/report$/);
    await expect(page.locator("#known")).toContainText("Retail technology");
    await expect(page.getByRole("button", { name: "Print or save as PDF" })).toBeHidden();
    // A phone has no room for the hint.
    await expect(page.getByText("print it from your browser’s menu")).toBeVisible({ visible: test.info().project.name === "desk" });
  });
});
