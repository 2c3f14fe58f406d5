import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { openBrowser } from "./open-browser.ts";

const folder = mkdtempSync(join(tmpdir(), "gantry-open-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("opens the address with the first installed program of BROWSER, as one argument", async () => {
  const seen = join(folder, "seen");
  const browser = join(folder, "my browser");
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$#" "$1" > "${seen}.part" && mv "${seen}.part" "${seen}"\n`, {
    mode: 0o755,
  });
  const env = { BROWSER: `/no/such/browser:${browser}`, PATH: process.env.PATH };
  const url = "http://127.0.0.1:1/#ticket=a&b c";
  expect(await openBrowser(url, env)).toBe(true);
  await vi.waitFor(() => expect(existsSync(seen)).toBe(true), 10_000);
  expect(readFileSync(seen, "utf8")).toBe(`1\n${url}\n`);
});

test("reports that there is no browser", async () => {
  expect(await openBrowser("http://127.0.0.1:1/", { PATH: folder })).toBe(false);
});
