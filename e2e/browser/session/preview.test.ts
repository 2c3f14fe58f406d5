import type { RequestListener } from "node:http";
import { needs } from "@gantry/testkit";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DevServer, startDevServer } from "../../../packages/runtime/src/preview/testing/dev-server.ts";
import { eventually } from "../../harness/wait.ts";
import { CHROMIUM } from "../workbench/chromium.ts";
import { preparePage, Workbench } from "../workbench/workbench.ts";

const html =
  (body: string): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(`<!doctype html>${body}`);

const SHOP = `<title>Shop</title><h1>Parcels</h1><button id="send">Send a parcel</button> <a href="/rates">Rates</a>
<script>
  document.getElementById("send").onclick = () => { document.title = "clicked"; };
</script>`;
const shopRoutes = { "/": html(SHOP), "/rates": html("<title>Rates</title><p>4.50 €</p>") };

describe.skipIf(!CHROMIUM.met)("a preview next to a session", needs(CHROMIUM), () => {
  let bench: Workbench;
  let shop: DevServer;

  beforeAll(async () => {
    preparePage();
    [bench, shop] = await Promise.all([Workbench.open(), startDevServer(0, shopRoutes)]);
  }, 240_000);
  afterAll(async () => {
    await bench?.close();
    await shop?.stop();
  });

  const panel = (page: Page) => page.getByRole("complementary", { name: "Preview" });
  const button = (page: Page, name: string) => panel(page).getByRole("button", { name, exact: true });
  const address = (page: Page) => panel(page).getByRole("textbox", { name: "Address" });
  const chips = (page: Page) => page.getByRole("list", { name: "Attachments" });

  /** A page with a new session and the preview of the shop, and the frame of the shop. */
  async function openPreview(): Promise<{ page: Page; frame: Frame; session: string }> {
    const { id } = await bench.session("[[text]] hello");
    await bench.waitForState(id, "idle");
    const page = await bench.page(`/s/${id}`);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await panel(page).getByRole("textbox", { name: "Dev server" }).fill(String(shop.port));
    await button(page, "Show").click();
    return { page, frame: await shownAt(page, "/"), session: id };
  }

  async function shownAt(page: Page, path: string): Promise<Frame> {
    await expect.poll(() => address(page).inputValue(), { timeout: 45_000 }).toBe(path);
    return eventually(`a frame at ${path}`, () => {
      const frame = page.frames().find((one) => URL.parse(one.url())?.hostname === "localhost");
      return frame && new URL(frame.url()).pathname === path ? frame : undefined;
    });
  }

  it("follows the navigation of the site and controls it", async () => {
    const { page, frame } = await openPreview();
    await frame.getByRole("link", { name: "Rates" }).click();
    await shownAt(page, "/rates");
    await button(page, "Back").click();
    await shownAt(page, "/");
    await button(page, "Forward").click();
    await shownAt(page, "/rates");
    await address(page).fill("/?from=bar");
    await address(page).press("Enter");
    await expect.poll(() => address(page).inputValue(), { timeout: 45_000 }).toBe("/?from=bar");
    const before = shop.seen.length;
    await button(page, "Reload").click();
    await expect.poll(() => shop.seen.length, { timeout: 45_000 }).toBeGreaterThan(before);
    await button(page, "Phone width").click();
    await expect.poll(async () => (await panel(page).locator("iframe").boundingBox())?.width).toBe(390);
  });

  it("adds a picked element as context to the next message", async () => {
    const { page, frame, session } = await openPreview();
    await button(page, "Inspect").click();
    await frame.locator("gantry-outline").waitFor({ state: "attached" });
    const box = await frame.locator("#send").boundingBox();
    await page.mouse.click((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
    await chips(page).getByText("<button> Send a parcel").waitFor();
    expect(await button(page, "Inspect").getAttribute("aria-pressed")).toBe("false");
    expect(await frame.title()).toBe("Shop");
    await page.getByRole("textbox", { name: "Message", exact: true }).fill("[[text]] make it green");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    const text = await eventually("the message is in the log", async () => {
      const { events } = await bench.client.sessions.events(session, { limit: 1000 });
      const message = events.findLast(({ type }) => type === "message.user");
      const all = JSON.stringify(message?.data);
      return all.includes("make it green") ? all : undefined;
    });
    expect(text).toContain("Selector: #send");
    expect(text).toContain(`http://localhost:${shop.port}/`);
  });

  it("stops inspecting with Escape, regardless of the focus", async () => {
    const { page, frame } = await openPreview();
    await button(page, "Inspect").click();
    await frame.locator("gantry-outline").waitFor({ state: "attached" });
    await page.keyboard.press("Escape");
    await frame.locator("gantry-outline").waitFor({ state: "detached" });
    expect(await button(page, "Inspect").getAttribute("aria-pressed")).toBe("false");
  });

  it("attaches a screenshot and errors", async () => {
    const { page, frame } = await openPreview();
    await button(page, "Screenshot").click();
    await chips(page).getByText("preview.png").waitFor();
    await frame.evaluate(() => console.error("no rates for tea"));
    await button(page, "1 error").click();
    await chips(page).getByText("1 preview error").waitFor();
  });

  it("isolates the site from the page and from the daemon", async () => {
    const { page, frame } = await openPreview();
    const tried = await frame.evaluate(async (daemon) => {
      const read = (what: () => unknown) => {
        try {
          return String(what());
        } catch (error) {
          return (error as Error).name;
        }
      };
      return {
        page: read(() => window.parent.document.title),
        away: read(() => {
          window.parent.location.href = "https://example.org/";
        }),
        call: await fetch(`${daemon}/v1/sessions`, { credentials: "include" }).then(String, (error) => error.name),
      };
    }, bench.url);
    expect(tried).toEqual({ page: "SecurityError", away: "SecurityError", call: "TypeError" });
    expect(page.url()).toContain(bench.url);
    expect(shop.seen.filter(({ headers }) => headers.cookie?.includes("gantry_session"))).toEqual([]);
  });

  it("reopens after a daemon restart", async () => {
    const { page, frame } = await openPreview();
    const before = new URL(frame.url()).port;
    await bench.kill();
    await bench.start();
    await eventually("a frame with another port", () => {
      const now = page.frames().find((one) => URL.parse(one.url())?.hostname === "localhost");
      return now && new URL(now.url()).port !== before ? now : undefined;
    });
    await shownAt(page, "/");
    await expect.poll(() => button(page, "Inspect").isEnabled(), { timeout: 45_000 }).toBe(true);
  });
});
