import type { RequestListener } from "node:http";
import { needs } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CHROMIUM } from "../../../../e2e/browser/workbench/chromium.ts";
import { type DevServer, startDevServer } from "../../../runtime/src/preview/testing/dev-server.ts";
import { CHANNEL } from "./channel.ts";
import { Stage } from "./testing/stage.ts";

const SHOP = `<!doctype html><html><head><title>Shop</title><style>
  body { margin: 0; background: rgb(0, 128, 0) } main { padding: 40px } button { width: 120px; height: 40px }
</style></head><body><main><p>first</p><p class="price big">12 €</p><button id="buy" disabled>Buy</button>
<my-card></my-card><a href="/other">Other</a></main>
<script>
  window.received = [];
  for (const type of ["pointerdown", "mousemove", "click", "keydown"])
    window.addEventListener(type, (event) => received.push(event.type), true);
  customElements.define("my-card", class extends HTMLElement {
    connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<b data-testid='inner'>in the shadow</b>"; }
  });
  document.querySelector(".price").__vueParentComponent = { type: { __name: "PriceTag", __file: "/app/PriceTag.vue" } };
</script></body></html>`;
const STRICT = "default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; style-src 'unsafe-inline'; img-src data:";

const DEADLINE = { timeout: 30_000 };

const html =
  (body: string, headers = {}): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...headers }).end(body);

const pages = {
  "/": html(SHOP),
  "/other": html("<title>Other</title><p>other</p>"),
  "/strict": html(SHOP.replace("<script>", '<script nonce="abc">'), { "content-security-policy": STRICT }),
  "/tall": html('<body style="margin:0;height:3000px;background:linear-gradient(#f00 0 1000px,#00f 1000px)">'),
  "/login": html("<p>in</p>", { "set-cookie": "sid=1; HttpOnly; SameSite=Lax; Path=/" }),
};

describe.skipIf(!CHROMIUM.met)("the inspector in a browser", needs(CHROMIUM), () => {
  let shop: DevServer;
  let stage: Stage;

  beforeAll(async () => {
    shop = await startDevServer(0, pages);
    stage = await Stage.open(shop.port);
  });
  afterAll(async () => {
    await stage.close();
    await shop.stop();
  });

  it("reports the address and title of the document", async () => {
    const shown = await stage.show("/?a=1#b");
    await expect.poll(() => shown.lastMessage("visited"), DEADLINE).toMatchObject({ path: "/?a=1#b", title: "Shop" });
    await shown.frame.evaluate(() => {
      history.pushState(null, "", "/cart");
      document.title = "Cart";
    });
    await expect.poll(() => shown.lastMessage("visited"), DEADLINE).toMatchObject({ path: "/cart", title: "Cart" });
    await shown.send({ type: "go", by: -1 });
    await expect.poll(() => shown.lastMessage("visited"), DEADLINE).toMatchObject({ path: "/?a=1#b" });
  });

  it("turns a click into context without the document noticing", async () => {
    const shown = await stage.show("/");
    expect(await shown.pick(".price")).toMatchObject({
      selector: "html > body > main > p:nth-of-type(2)",
      tag: "p",
      text: "12 €",
      html: '<p class="price big">12 €</p>',
      attributes: { class: "price big" },
      rect: { x: 40, width: 620 },
      path: "/",
      component: { framework: "vue", name: "PriceTag", file: "/app/PriceTag.vue" },
    });
    expect(await shown.frame.evaluate(() => Object(window).received)).toEqual([]);
    expect(await shown.outlines()).toBe(0);
  });

  it("picks disabled elements and elements in a shadow root", async () => {
    expect((await (await stage.show("/")).pick("#buy")).selector).toBe("#buy");
    const shown = await stage.show("/");
    const { selector } = await shown.pick("my-card b");
    expect(selector).toBe('html > body > main > my-card >>> [data-testid="inner"]');
    await shown.send({ type: "shoot", id: 3, selector });
    expect((await shown.lastMessage("shot")).image).toMatch(/^data:image\/png;base64,/);
  });

  it("stops picking on Escape or on the page's request", async () => {
    const shown = await stage.show("/");
    const leaves = [() => shown.page.keyboard.press("Escape"), () => shown.send({ type: "pick", on: false })];
    for (const leave of leaves) {
      await shown.startPicking();
      await shown.frame.evaluate(() => window.focus());
      await leave();
      await expect.poll(() => shown.outlines(), DEADLINE).toBe(0);
    }
    expect(await shown.lastMessage("left")).toEqual({ type: "left" });
    expect(await shown.frame.evaluate(() => Object(window).received)).toEqual([]);
  });

  it.each(["/", "/strict"])("takes a screenshot of the visible part of %s and of one element", async (path) => {
    const shown = await stage.show(path);
    await shown.send({ type: "shoot", id: 1 });
    const { image, error } = await shown.lastMessage("shot");
    expect(error).toBeUndefined();
    expect(await shown.page.evaluate(measure, image ?? "")).toEqual({ size: [700, 500], corner: [0, 128, 0, 255] });
    await shown.send({ type: "shoot", id: 2, selector: "#buy" });
    await expect.poll(async () => (await shown.lastMessage("shot")).id, DEADLINE).toBe(2);
    const button = await shown.page.evaluate(measure, (await shown.lastMessage("shot")).image ?? "");
    expect(button.size).toEqual([120, 40]);
    await shown.send({ type: "shoot", id: 3, selector: "#gone" });
    await expect
      .poll(() => shown.lastMessage("shot"), DEADLINE)
      .toMatchObject({ error: "The element no longer exists." });
  });

  it("takes a screenshot of the scrolled position", async () => {
    const shown = await stage.show("/tall");
    await shown.frame.evaluate(() => scrollTo(0, 1200));
    await shown.send({ type: "shoot", id: 1 });
    const { image } = await shown.lastMessage("shot");
    expect((await shown.page.evaluate(measure, image ?? "")).corner).toEqual([0, 0, 255, 255]);
  });

  it("reports errors", async () => {
    const shown = await stage.show("/");
    await shown.frame.evaluate(() => console.error("price", { of: "tea" }, new TypeError("no tea")));
    expect((await shown.lastMessage("failed")).text).toBe('price {"of":"tea"} TypeError: no tea');
    await shown.frame.evaluate(() => void setTimeout(() => Object(window).nothing.at.all));
    await expect
      .poll(async () => (await shown.lastMessage("failed")).text, DEADLINE)
      .toContain("TypeError: Cannot read");
  });

  it("keeps a login of the site in the frame", async () => {
    const shown = await stage.show("/login");
    await shown.frame.goto(`${stage.origin}/other`);
    expect(shop.seen.at(-1)?.headers.cookie).toBe("sid=1");
  });

  it("ignores messages from other origins", async () => {
    const shown = await stage.show("/");
    const forged = { channel: CHANNEL, message: { type: "pick", on: true } };
    await shown.frame.evaluate((message) => window.postMessage(message, "*"), forged);
    await shown.send({ type: "shoot", id: 9 });
    await shown.lastMessage("shot");
    expect(await shown.outlines()).toBe(0);
  });
});

/** The size of an image and the color of its first pixel. Runs in the browser. */
async function measure(image: string): Promise<{ size: number[]; corner: number[] }> {
  const picture = new Image();
  picture.src = image;
  await picture.decode();
  const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
  canvas?.drawImage(picture, 0, 0);
  return { size: [picture.width, picture.height], corner: [...(canvas?.getImageData(0, 0, 1, 1).data ?? [])] };
}
