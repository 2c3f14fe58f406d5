import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Frame, type Page } from "playwright-core";
import { expect } from "vitest";
import { findChromium } from "../../../../../e2e/browser/workbench/chromium.ts";
import { Previews } from "../../../../runtime/src/preview/previews.ts";
import { buildInspector } from "../build.ts";
import { CHANNEL, type ToInspector } from "../channel.ts";
import { FromInspector } from "../messages.ts";

const DEADLINE = { timeout: 30_000 };
/** `linkTo`: a one-time link that opens the preview at a path. */
type StagedPreview = { origin: string; linkTo: (path: string) => string };
type Received<T> = Extract<FromInspector, { type: T }>;

/**
 * A real browser with a stand-in for Gantry's page that frames the real preview of a dev server with the built inspector.
 * The caller of `open` must call `close`.
 */
export class Stage {
  readonly origin: string;
  readonly browser: Browser;
  readonly #host: string;
  readonly #linkTo: StagedPreview["linkTo"];
  readonly #ends: (() => Promise<unknown>)[];

  private constructor(preview: StagedPreview, browser: Browser, host: string, ends: (() => Promise<unknown>)[]) {
    this.origin = preview.origin;
    this.#linkTo = preview.linkTo;
    this.browser = browser;
    this.#host = host;
    this.#ends = ends;
  }

  static async open(targetPort: number): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), "gantry-inspector-"));
    for (const { name, code } of await buildInspector()) writeFileSync(join(folder, `${name}.js`), code);
    const host = createServer((_, response) => response.setHeader("content-type", "text/html").end("<!doctype html>"));
    await new Promise<void>((resolve) => host.listen(0, "127.0.0.1", resolve));
    const { port } = host.address() as AddressInfo;
    const previews = new Previews({
      id: () => "prv_1",
      now: () => new Date().toISOString(),
      requireSession: () => {},
      daemonPort: () => port,
      inspectorDir: folder,
      log: () => {},
    });
    const { origin, id } = await previews.open({ port: targetPort }, `127.0.0.1:${port}`);
    const linkTo = (path: string) => previews.ticket(id, path, `127.0.0.1:${port}`).url;
    const browser = await chromium.launch({ executablePath: findChromium(), args: ["--no-sandbox"] });
    return new Stage({ origin, linkTo }, browser, `http://127.0.0.1:${port}/`, [
      () => browser.close(),
      () => previews.stop(),
      () => new Promise((resolve) => host.close(resolve)),
      async () => rmSync(folder, { recursive: true }),
    ]);
  }

  async close(): Promise<void> {
    for (const end of this.#ends) await end();
  }

  /** Opens the preview at a path in a frame of a new page and waits for the inspector. */
  async show(path: string): Promise<ShownPreview> {
    const page = await this.browser.newPage({ viewport: { width: 800, height: 600 } });
    await page.goto(this.#host);
    await page.evaluate((source) => {
      const frame = document.createElement("iframe");
      Object.assign(frame, { src: source, width: "700", height: "500" });
      frame.sandbox.add("allow-scripts", "allow-same-origin", "allow-forms");
      Object.assign(window, { received: [] });
      addEventListener("message", ({ data, origin }) => Object(window).received.push({ ...data, origin }));
      document.body.append(frame);
    }, this.#linkTo(path));
    const shown = new ShownPreview(page, this.origin);
    await shown.lastMessage("visited");
    return shown;
  }
}

/** An open preview, seen from the framing page. */
export class ShownPreview {
  readonly page: Page;
  readonly #origin: string;

  constructor(page: Page, origin: string) {
    this.page = page;
    this.#origin = origin;
  }

  get frame(): Frame {
    const found = this.page.frames().find((one) => one.url().startsWith(this.#origin));
    if (!found) throw new Error("the preview is not shown");
    return found;
  }

  send(message: ToInspector): Promise<void> {
    const sent = [{ channel: CHANNEL, message }, this.#origin] as const;
    return this.page.evaluate(([data, to]) => frames[0]?.postMessage(data, to), sent);
  }

  /** Waits for a message of this type and returns the last one after validating it. */
  async lastMessage<T extends FromInspector["type"]>(type: T): Promise<Received<T>> {
    type Envelope = { channel: string; origin: string; message: FromInspector };
    const find = async () => {
      const all: Envelope[] = await this.page.evaluate(() => Object(window).received);
      return all.findLast(({ message }) => message.type === type);
    };
    await expect.poll(find, DEADLINE).toBeDefined();
    const { channel, origin, message } = (await find()) as Envelope;
    expect([channel, origin]).toEqual([CHANNEL, this.#origin]);
    return FromInspector.parse(message) as Received<T>;
  }

  outlines(): Promise<number> {
    return this.frame.locator("gantry-outline").count();
  }

  async startPicking(): Promise<void> {
    await this.send({ type: "pick", on: true });
    await expect.poll(() => this.outlines(), DEADLINE).toBe(1);
  }

  /** Moves to an element and clicks it. */
  async pick(selector: string): Promise<Received<"picked">["element"]> {
    const box = await this.frame.locator(selector).boundingBox();
    if (!box) throw new Error(`${selector} is not visible`);
    await this.startPicking();
    await this.page.mouse.move(box.x + 5, box.y + 5);
    await this.page.mouse.click(box.x + 6, box.y + 6);
    return (await this.lastMessage("picked")).element;
  }
}
