import { needs } from "@gantry/testkit";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { CHROMIUM } from "../workbench/chromium.ts";
import { useWorkbench } from "../workbench/use-workbench.ts";
import type { Workbench } from "../workbench/workbench.ts";

const PATIENCE = { timeout: 60_000 };

describe.skipIf(!CHROMIUM.met)("a page whose daemon is killed in the middle of a stream", needs(CHROMIUM), () => {
  let bench: Workbench;
  useWorkbench((opened) => {
    bench = opened;
  });

  it("continues without a reload and ends up with the content of a fresh page", async () => {
    const session = await bench.session("[[slow:300:40]]", { title: "Slow" });
    const page = await bench.page(`/s/${session.id}`);
    await page.evaluate(() => Object.assign(window, { sameDocument: true }));
    const transcript = page.getByRole("log", { name: "Transcript" });
    await transcript.getByText(/word20\b/).waitFor(PATIENCE);

    await bench.kill();
    await page
      .getByRole("alert")
      .getByText(/not responding/)
      .waitFor(PATIENCE);
    await bench.start();
    await page.getByRole("alert").waitFor({ state: "detached", ...PATIENCE });

    await bench.waitForState(session.id, "idle");
    await transcript.getByText(/word299\b/).waitFor(PATIENCE);
    expect(await page.evaluate(() => "sameDocument" in window)).toBe(true);
    const fresh = await bench.page(`/s/${session.id}`);
    await fresh
      .getByRole("log", { name: "Transcript" })
      .getByText(/word299\b/)
      .waitFor(PATIENCE);
    expect(await streamedParts(page)).toEqual(Array.from({ length: 300 }, (_, index) => `word${index}`));
    expect(await streamedParts(fresh)).toEqual(await streamedParts(page));
  }, 240_000);

  it("stores a message written during the outage and sends it once", async () => {
    const session = await bench.session("[[text]]", { title: "Offline" });
    await bench.waitForState(session.id, "idle");
    const page = await bench.page(`/s/${session.id}`);
    const box = page.getByRole("textbox", { name: "Message" });
    await box.waitFor(PATIENCE);
    await bench.kill();
    await page
      .getByRole("alert")
      .getByText(/not responding/)
      .waitFor(PATIENCE);
    await box.fill("written during the outage");
    await page.getByRole("button", { name: "Send" }).click();
    await bench.start();
    await page.getByRole("alert").waitFor({ state: "detached", ...PATIENCE });
    await expect.poll(() => userMessages(bench, session.id), PATIENCE).toHaveLength(2);
    await bench.waitForState(session.id, "idle", "waiting");
    expect((await userMessages(bench, session.id)).at(-1)).toBe("written during the outage");
  }, 240_000);
});

async function streamedParts(page: Page): Promise<string[]> {
  const text = (await page.getByRole("log", { name: "Transcript" }).textContent()) ?? "";
  return text.match(/word\d+/g) ?? [];
}

async function userMessages(bench: Workbench, session: string): Promise<string[]> {
  const { events } = await bench.client.sessions.events(session);
  return events.flatMap((event) => (event.type === "message.user" ? [event.data.text] : []));
}
