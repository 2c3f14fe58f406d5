import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exportHtml, type SessionStore, sessions, setLabel } from "@gantry/agent";
import type { AssistantMessage } from "@gantry/models";
import { needs } from "@gantry/testkit";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM, findChromium } from "../workbench/chromium.ts";

const executablePath = findChromium();
const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0.5 };
const answer = (content: AssistantMessage["content"]): AssistantMessage => ({
  role: "assistant",
  content,
  api: "anthropic-messages",
  provider: "anthropic",
  model: "claude-test",
  usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15, cost },
  stopReason: "stop",
  timestamp: 2,
});
const PICTURE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const HOSTILE = `</script><script>window.hurt=1</script><img src=x onerror="window.hurt=1"><!-- "'`;

function addExchange(store: SessionStore, user: string, text: string): string {
  store.append({ type: "message", message: { role: "user", content: user, timestamp: 1 } });
  return store.append({ type: "message", message: answer([{ type: "text", text }]) }).id;
}

describe.skipIf(!CHROMIUM.met)("an exported session", needs(CHROMIUM), () => {
  let browser: Browser;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "gantry-export-"));
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openExport(
    store: SessionStore,
    colorScheme: "light" | "dark" = "light",
  ): Promise<{ page: Page; asked: string[] }> {
    const { path } = await exportHtml(store, join(folder, `${store.header.id}.html`));
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 800 } });
    const asked: string[] = [];
    page.on("request", (request) => !request.url().startsWith("data:") && asked.push(request.url()));
    page.on("pageerror", (error) => asked.push(String(error)));
    await page.goto(`file://${path}`);
    return { page, asked };
  }

  it("shows the conversation, its tree, images and folded calls, and makes no requests", async () => {
    const store = sessions.inMemory(folder);
    store.setTitle("A walk through the tree", "user");
    const first = addExchange(store, "How do I sort?", "Like this:\n```ts\nlist.sort();\n```\nThat is all.");
    setLabel(store, first, "good answer");
    store.append({
      type: "message",
      message: answer([{ type: "toolCall", id: "c", name: "read", arguments: { path: "a.ts" } }]),
    });
    const content = [
      { type: "text" as const, text: "needle in the result" },
      { type: "image" as const, data: PICTURE, mimeType: "image/png" },
    ];
    store.append({
      type: "message",
      message: { role: "toolResult", toolCallId: "c", toolName: "read", content, isError: false, timestamp: 3 },
    });
    store.moveTo(first);
    addExchange(store, "And backwards?", "With a comparison.");
    for (const scheme of ["light", "dark"] as const) {
      const { page, asked } = await openExport(store, scheme);
      await page.getByRole("heading", { name: "A walk through the tree" }).waitFor();
      expect(await page.locator("article.user").allInnerTexts()).toHaveLength(2);
      expect(await page.locator("pre").first().textContent()).toBe("list.sort();");
      const back = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(back).toBe(scheme === "light" ? "rgb(251, 250, 248)" : "rgb(22, 23, 26)");
      if (process.env.GANTRY_SHOTS) await page.screenshot({ path: join(process.env.GANTRY_SHOTS, `${scheme}.png`) });
      await page.getByRole("searchbox").fill("needle");
      await page.locator("nav li").nth(0).getByText("needle in the result").click();
      await page.locator("summary", { hasText: "Result of read" }).click();
      await page.locator("pre", { hasText: "needle in the result" }).waitFor();
      expect(await page.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
      await page.getByRole("button", { name: "Theme: system" }).click();
      expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe("rgb(251, 250, 248)");
      expect(asked).toHaveLength(1);
      await page.close();
    }
  });

  it("does not execute markup from the conversation", async () => {
    const store = sessions.inMemory(folder);
    store.setTitle(HOSTILE, "user");
    const id = addExchange(store, HOSTILE, `${HOSTILE}\n\`\`\`${HOSTILE}\n${HOSTILE}\n\`\`\``);
    setLabel(store, id, HOSTILE);
    const call = { type: "toolCall" as const, id: HOSTILE, name: HOSTILE, arguments: { [HOSTILE]: HOSTILE } };
    store.append({ type: "message", message: answer([{ type: "thinking", thinking: HOSTILE }, call]) });
    const image = {
      type: "image" as const,
      data: `x" onerror="window.hurt=1`,
      mimeType: `image/png" onload="window.hurt=1`,
    };
    store.append({
      type: "message",
      message: {
        role: "toolResult",
        toolCallId: "c",
        toolName: HOSTILE,
        content: [image],
        isError: true,
        timestamp: 3,
      },
    });
    store.append({ type: "custom_message", customType: HOSTILE, content: HOSTILE, display: true });
    store.append({ type: "compaction", summary: HOSTILE, firstKeptEntryId: id, tokensBefore: 1 }); // prose-ignore: a field of the file format
    const { page, asked } = await openExport(store);
    await page.getByLabel("What the tree shows").selectOption("all");
    for (const summary of await page.locator("summary").all()) await summary.click();
    expect(await page.title()).toBe(HOSTILE);
    expect(await page.locator("h1").textContent()).toBe(HOSTILE);
    expect(await page.locator("script").count()).toBe(2);
    expect(await page.evaluate(() => "hurt" in window)).toBe(false);
    expect(asked).toHaveLength(1);
    await page.close();
  });

  it("stays usable with 10,000 entries", async () => {
    const store = sessions.inMemory(folder);
    for (let turn = 0; turn < 5000; turn++) addExchange(store, `Question ${turn}`, `Answer ${turn} `.repeat(20));
    const { page } = await openExport(store);
    await page.getByText("10000 entries", { exact: true }).waitFor();
    expect(await page.locator("nav li").count()).toBeLessThan(100);
    await page.locator(".tree").evaluate((tree) => tree.scrollTo(0, tree.scrollHeight));
    await page.locator("nav li", { hasText: "Answer 4999" }).waitFor();
    await page.getByRole("searchbox").fill("answer 4321 ");
    await page.getByText("1 entry", { exact: true }).waitFor();
    await page.locator("nav li button").click();
    await page.locator("article.hit", { hasText: "Answer 4321" }).waitFor();
    expect(await page.locator("article.hit").evaluate((hit) => Math.abs(hit.getBoundingClientRect().top))).toBeLessThan(
      800,
    );
    await page.close();
  });

  it("is created from a session file and rejects other files", async () => {
    const store = sessions.create(folder, { agentDir: join(folder, "agent") });
    addExchange(store, "hello", "hi");
    store.close();
    const { path } = await exportHtml(store.file!);
    expect(path.startsWith(folder)).toBe(true);
    expect(readFileSync(path, "utf8")).toContain("hello");
    await expect(exportHtml(path)).rejects.toThrow(/not a session/);
    await expect(exportHtml(join(folder, "none"))).rejects.toThrow(/cannot be read/);
  });
});
