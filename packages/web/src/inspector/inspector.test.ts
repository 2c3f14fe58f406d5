import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findChromium } from "../../../../e2e/browser/chromium.ts";
import { Previews } from "../../../runtime/src/preview/previews.ts";
import { type DevServer, startDevServer } from "../../../runtime/src/preview/testing/dev-server.ts";
import { FromInspector, type PickedElement } from "../preview/messages.ts";
import { buildInspector } from "./build.ts";
import { CHANNEL, type ToInspector } from "./channel.ts";

const SHOP = `<!doctype html><html><head><title>Shop</title><style>
  body { margin: 0; background: rgb(0, 128, 0) } main { padding: 40px } button { width: 120px; height: 40px }
</style></head><body><main><p>first</p><p class="price big">12 €</p><button id="buy" disabled>Buy</button>
<my-card></my-card><a href="/other">Other</a></main>
<script>
  window.heard = [];
  for (const type of ["pointerdown", "mousemove", "click", "keydown"])
    window.addEventListener(type, (event) => heard.push(event.type), true);
  customElements.define("my-card", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<b data-testid='inner'>in the shadow</b>"; }
  });
  document.querySelector(".price").__vueParentComponent = { type: { __name: "PriceTag", __file: "/app/PriceTag.vue" } };
</script></body></html>`;
const STRICT = "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'unsafe-inline'; img-src data:";

const browserPath = findChromium();
describe.skipIf(!browserPath)("the inspector in a browser", () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-inspector-"));
  let host: Server;
  let shop: DevServer;
  let previews: Previews;
  let origin: string;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    for (const { name, code } of await buildInspector()) writeFileSync(join(folder, `${name}.js`), code);
    const show = (body: string, headers = {}) => ({
      body,
      headers: { "content-type": "text/html; charset=utf-8", ...headers },
    });
    const pages: Record<string, ReturnType<typeof show>> = {
      "/": show(SHOP),
      "/other": show("<title>Other</title><p>other</p>"),
      "/strict": show(SHOP.replace("<script>", '<script nonce="abc">'), { "content-security-policy": STRICT }),
      "/tall": show('<body style="margin:0;height:3000px;background:linear-gradient(#f00 0 1000px,#00f 1000px)">'),
      "/login": show("<p>in</p>", { "set-cookie": "sid=1; HttpOnly; SameSite=Lax; Path=/" }),
    };
    const answers = Object.entries(pages).map(([path, { body, headers }]) => {
      const answer: RequestListener = (_, response) => response.writeHead(200, headers).end(body);
      return [path, answer] as const;
    });
    shop = await startDevServer(0, Object.fromEntries(answers));
    // Stands for Gantry's page: an origin of another name, with the preview in a frame.
    host = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html><body>"));
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const daemonPort = () => (host.address() as AddressInfo).port;
    previews = new Previews({
      id: () => "prv_1",
      now: () => new Date().toISOString(),
      requireSession: () => {},
      daemonPort,
      inspectorDir: folder,
      log: () => {},
    });
    origin = (await previews.open({ port: shop.port }, `127.0.0.1:${daemonPort()}`)).origin;
    browser = await chromium.launch({ executablePath: browserPath, args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser.close();
    await previews.stop();
    await shop.stop();
    await new Promise((resolve) => host.close(resolve));
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    page = await browser.newPage({ viewport: { width: 800, height: 600 } });
    await page.goto(`http://127.0.0.1:${(host.address() as AddressInfo).port}/`);
  });
  afterEach(() => page.close());

  /** Shows a path in the frame and waits until the inspector is heard of. */
  async function show(path: string): Promise<Frame> {
    await page.evaluate((source) => {
      const frame = document.createElement("iframe");
      Object.assign(frame, { src: source, width: "700", height: "500" });
      frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
      Object.assign(window, { told: [] });
      addEventListener("message", ({ data, origin }) => Object(window).told.push({ ...data, origin }));
      document.body.append(frame);
    }, origin + path);
    await told("visited");
    const frame = page.frames().find((one) => one.url().startsWith(origin));
    if (!frame) throw new Error("the preview is not shown");
    return frame;
  }

  const say = (message: ToInspector) =>
    page.evaluate(([sent, to]) => frames[0]?.postMessage(sent, to), [{ channel: CHANNEL, message }, origin] as const);

  /** Waits for a message of this type, the last one of those that came. */
  async function told<T extends FromInspector["type"]>(type: T): Promise<Extract<FromInspector, { type: T }>> {
    type Envelope = { channel: string; origin: string; message: FromInspector };
    const find = async () => {
      const all: Envelope[] = await page.evaluate(() => Object(window).told);
      return all.findLast(({ message }) => message.type === type);
    };
    await expect.poll(find, { timeout: 30_000 }).toBeDefined();
    const { channel, origin: from, message } = (await find()) as Envelope;
    expect([channel, from]).toEqual([CHANNEL, origin]);
    return FromInspector.parse(message) as Extract<FromInspector, { type: T }>;
  }

  async function pick(selector: string, path = "/"): Promise<{ element: PickedElement; frame: Frame }> {
    const frame = await show(path);
    const box = await frame.locator(selector).boundingBox();
    if (!box) throw new Error(`${selector} is not visible`);
    await say({ type: "pick", on: true });
    await expect.poll(() => frame.locator("gantry-outline").count(), { timeout: 30_000 }).toBe(1);
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.click(box.x + 6, box.y + 6);
    return { element: (await told("picked")).element, frame };
  }

  it("says where it is", async () => {
    const frame = await show("/?a=1#b");
    await expect.poll(() => told("visited"), { timeout: 30_000 }).toMatchObject({ path: "/?a=1#b", title: "Shop" });
    await frame.evaluate(() => {
      history.pushState(null, "", "/cart");
      document.title = "Cart";
    });
    await expect.poll(() => told("visited"), { timeout: 30_000 }).toMatchObject({ path: "/cart", title: "Cart" });
    await say({ type: "go", by: -1 });
    await expect.poll(() => told("visited"), { timeout: 30_000 }).toMatchObject({ path: "/?a=1#b" });
  });

  it("turns a click into context, and the document hears nothing of it", async () => {
    const { element, frame } = await pick(".price");
    expect(element).toMatchObject({
      selector: "html > body > main > p:nth-of-type(2)",
      tag: "p",
      text: "12 €",
      html: '<p class="price big">12 €</p>',
      attributes: { class: "price big" },
      rect: { x: 40, width: 620 },
      path: "/",
      component: { framework: "vue", name: "PriceTag", file: "/app/PriceTag.vue" },
    });
    expect(await frame.evaluate(() => Object(window).heard)).toEqual([]);
    expect(await frame.locator("gantry-outline").count()).toBe(0);
  });

  it("picks what gets no events of its own, and what is in a shadow root", async () => {
    expect((await pick("#buy")).element.selector).toBe("#buy");
    await page.reload();
    const { element } = await pick("my-card b");
    expect(element.selector).toBe('html > body > main > my-card >>> [data-testid="inner"]');
    await say({ type: "shoot", id: 3, selector: element.selector });
    expect((await told("shot")).image).toMatch(/^data:image\/png;base64,/);
  });

  it("is left with Escape, or by the page", async () => {
    const frame = await show("/");
    for (const leave of [() => page.keyboard.press("Escape"), () => say({ type: "pick", on: false })]) {
      await say({ type: "pick", on: true });
      await expect.poll(() => frame.locator("gantry-outline").count(), { timeout: 30_000 }).toBe(1);
      await frame.evaluate(() => window.focus());
      await leave();
      await expect.poll(() => frame.locator("gantry-outline").count(), { timeout: 30_000 }).toBe(0);
    }
    expect(await told("left")).toEqual({ type: "left" });
    expect(await frame.evaluate(() => Object(window).heard)).toEqual([]);
  });

  it.each(["/", "/strict"])("takes a picture of what is visible at %s, and of one element", async (path) => {
    await show(path);
    await say({ type: "shoot", id: 1 });
    const { image, error } = await told("shot");
    expect(error).toBeUndefined();
    expect(await page.evaluate(measure, image ?? "")).toEqual({ size: [700, 500], corner: [0, 128, 0, 255] });
    await say({ type: "shoot", id: 2, selector: "#buy" });
    await expect.poll(async () => (await told("shot")).id, { timeout: 30_000 }).toBe(2);
    expect((await page.evaluate(measure, (await told("shot")).image ?? "")).size).toEqual([120, 40]);
    await say({ type: "shoot", id: 3, selector: "#gone" });
    await expect
      .poll(() => told("shot"), { timeout: 30_000 })
      .toMatchObject({ error: "The element is no longer there." });
  });

  it("takes a picture of the place to which a document is scrolled", async () => {
    const frame = await show("/tall");
    await frame.evaluate(() => scrollTo(0, 1200));
    await say({ type: "shoot", id: 1 });
    const { image } = await told("shot");
    expect((await page.evaluate(measure, image ?? "")).corner).toEqual([0, 0, 255, 255]);
  });

  it("tells errors", async () => {
    const frame = await show("/");
    await frame.evaluate(() => console.error("price", { of: "tea" }, new TypeError("no tea")));
    expect((await told("failed")).text).toBe('price {"of":"tea"} TypeError: no tea');
    await frame.evaluate(() => void setTimeout(() => Object(window).nothing.at.all));
    await expect.poll(async () => (await told("failed")).text, { timeout: 30_000 }).toContain("TypeError: Cannot read");
  });

  it("keeps a login of the shown site in the frame", async () => {
    const frame = await show("/login");
    await frame.goto(`${origin}/other`);
    expect(shop.seen.at(-1)?.headers.cookie).toBe("sid=1");
  });

  it("does nothing for a page that is not Gantry's", async () => {
    const frame = await show("/");
    await frame.evaluate(
      (channel) => window.postMessage({ channel, message: { type: "pick", on: true } }, "*"),
      CHANNEL,
    );
    await say({ type: "shoot", id: 9 });
    await told("shot");
    expect(await frame.locator("gantry-outline").count()).toBe(0);
  });
});

/** The size of a picture and the colour of its first pixel. Runs in the browser. */
async function measure(image: string): Promise<{ size: number[]; corner: number[] }> {
  const picture = new Image();
  picture.src = image;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas?.drawImage(picture, 0, 0);
  return { size: [picture.width, picture.height], corner: [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])] };
}
