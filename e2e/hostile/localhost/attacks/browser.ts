import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { type Browser, type BrowserContext, chromium } from "playwright-core";
import { CHROMIUM, findChromium } from "../../../browser/workbench/chromium.ts";
import type { Outcome } from "../../attack.ts";
import { effect, HELD, type LocalServer, type NetworkAttack } from "../local-server.ts";
import { tryCalls } from "../request.ts";

/** The name that the attacker's DNS server answers with 127.0.0.1 at the second question. */
const REBOUND = "rebound.test";

/**
 * Scripts of a hostile page. Each gets the server's address and the two calls, and returns what it could read. What it
 * could change is counted at the server.
 */
const SCRIPTS: Record<string, string> = {
  "fetch with CORS": "return (await fetch(url + reading.path, { credentials: 'include' })).text()",
  "fetch without CORS":
    "await fetch(url + changing.path, { method: 'POST', mode: 'no-cors', credentials: 'include', body: JSON.stringify(changing.body) })",
  "JSON with a preflight":
    "await fetch(url + changing.path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(changing.body) })",
  "a form in a hidden frame": `
    const frame = document.body.appendChild(Object.assign(document.createElement('iframe'), { name: 'f' }));
    const form = document.body.appendChild(Object.assign(document.createElement('form'), { method: 'post', action: url + changing.path, enctype: 'text/plain', target: 'f' }));
    const text = JSON.stringify(changing.body);
    const input = form.appendChild(document.createElement('input'));
    input.name = text.slice(0, -1) + ',"x":"'; input.value = '"}';
    form.submit(); await new Promise((done) => setTimeout(done, 800))`,
  sendBeacon:
    "navigator.sendBeacon(url + changing.path, JSON.stringify(changing.body)); await new Promise((done) => setTimeout(done, 800))",
  "the answer as a script":
    "await new Promise((done) => { const s = document.createElement('script'); s.src = url + reading.path; s.onload = s.onerror = done; document.body.append(s) })",
  "an event stream":
    "return await new Promise((done) => { const s = new EventSource(url + reading.path, { withCredentials: true }); s.onmessage = (e) => done(e.data); s.onerror = () => done(''); setTimeout(() => done(''), 1500) })",
  "a web socket":
    "return await new Promise((done) => { const s = new WebSocket(url.replace('http', 'ws') + reading.path); s.onmessage = (e) => done(String(e.data)); s.onerror = s.onclose = () => done(''); setTimeout(() => done(''), 1500) })",
  "a frame whose document is read":
    "const f = document.body.appendChild(document.createElement('iframe')); f.src = url + reading.path; await new Promise((done) => { f.onload = done; setTimeout(done, 1500) }); return f.contentDocument?.body?.innerText ?? ''",
  "a window whose document is read":
    "const w = window.open(url + reading.path); await new Promise((done) => setTimeout(done, 1200)); try { return w.document.body.innerText } finally { w.close() }",
  "the page's storage through a frame":
    "const f = document.body.appendChild(document.createElement('iframe')); f.src = url + '/'; await new Promise((done) => { f.onload = done; setTimeout(done, 1500) }); return JSON.stringify(f.contentWindow.localStorage)",
};

/** Attacks by a page in a real browser: from another port of the machine, and from a name that resolves to the machine. */
export function openBrowserAttacks(): { attacks: NetworkAttack[]; close(): Promise<void> } {
  const host = new HostilePage();
  const attacks = Object.entries(SCRIPTS).flatMap(([name, script]) => [
    {
      name: `a page on another port: ${name}`,
      class: "page in a browser",
      run: (server: LocalServer) => host.run(server, script, "another port"),
    },
    {
      name: `a page behind DNS rebinding: ${name}`,
      class: "page in a browser",
      run: (server: LocalServer) => host.run(server, script, "rebinding"),
    },
  ]);
  const cookies: NetworkAttack = {
    name: "cookies that the browser sends to another port are replayed",
    class: "page in a browser",
    run: (server) => host.replayCookies(server),
  };
  return { attacks: [...attacks, cookies], close: () => host.close() };
}

class HostilePage {
  readonly #contexts = new Map<string, BrowserContext>();
  #browser: Browser | undefined;
  readonly #cookies = new Set<string>();
  #server: Server | undefined;

  async run(server: LocalServer, script: string, from: "another port" | "rebinding"): Promise<Outcome> {
    if (!CHROMIUM.met) return { skipped: CHROMIUM.reason };
    const context = await this.#contextOf(server);
    const before = await server.countChanges();
    const page = await context.newPage();
    try {
      const target = new URL(server.url);
      const url = from === "rebinding" ? `http://${REBOUND}:${target.port}` : server.url;
      const own = from === "rebinding" ? `${url}/attack.html` : `${await this.#listen()}/attack.html`;
      // With rebinding the browser gets the attack from the attacker's address, and the calls go to the machine's.
      await page.route("**/attack.html", (route) => route.fulfill({ contentType: "text/html", body: "<body></body>" }));
      await page.goto(own);
      const seen = await page.evaluate(
        ([source, ...values]) =>
          new Function("url", "reading", "changing", `return (async () => { ${source} })()`)(...values)
            .then(String)
            .catch(() => ""),
        [script, url, server.reading, server.changing] as const,
      );
      if (seen.includes(server.secret)) return effect("the page read private data");
      return (await server.countChanges()) > before ? effect("the page changed the server's state") : HELD;
    } finally {
      await page.close();
    }
  }

  /** Browsers send cookies to every port of a host, so another program gets them with a visit. */
  async replayCookies(server: LocalServer): Promise<Outcome> {
    if (!CHROMIUM.met) return { skipped: CHROMIUM.reason };
    const page = await (await this.#contextOf(server)).newPage();
    await page.goto(`${await this.#listen()}/visit`);
    await page.close();
    for (const cookie of this.#cookies) {
      const outcome = await tryCalls(server, { cookie, "sec-fetch-site": "same-origin", origin: server.url });
      if ("held" in outcome && !outcome.held) return outcome;
    }
    return HELD;
  }

  /** A browser profile that is logged in to the server's page, if it has one. */
  async #contextOf(server: LocalServer): Promise<BrowserContext> {
    const known = this.#contexts.get(server.url);
    if (known) return known;
    const args = ["--no-sandbox", `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`];
    this.#browser ??= await chromium.launch({ executablePath: findChromium(), args });
    const context = await this.#browser.newContext();
    this.#contexts.set(server.url, context);
    if (server.visit) {
      const page = await context.newPage();
      await page.goto(await server.visit());
      await page.waitForLoadState("networkidle").catch(() => undefined);
    }
    return context;
  }

  async #listen(): Promise<string> {
    if (!this.#server) {
      const server = createServer((request, response) => {
        if (request.headers.cookie) this.#cookies.add(request.headers.cookie);
        response.end();
      });
      await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
      this.#server = server;
    }
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server?.closeAllConnections();
    this.#server?.close();
    await this.#browser?.close();
  }
}
