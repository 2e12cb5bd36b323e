import { defineConfig, devices } from "@playwright/test";

const chromium = {
  browserName: "chromium" as const,
  launchOptions: {
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync",
    ],
  },
};

/** Every test brings its own server (see server.ts), so tests share nothing. */
export default defineConfig({
  testDir: "tests",
  timeout: 60_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  workers: 2,
  retries: 0,
  reporter: [["list"]],
  // Routes that tests lay are not those of a service worker; the tests of the offline page allow it.
  use: { ...chromium, serviceWorkers: "block", trace: "retain-on-failure" },
  projects: [
    { name: "desk", use: { viewport: { width: 1440, height: 900 } } },
    { name: "phone", use: { ...devices["Pixel 7"], ...chromium, viewport: { width: 390, height: 844 } } },
  ],
});
