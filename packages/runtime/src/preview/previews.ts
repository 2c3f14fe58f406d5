import { type DevServer, GantryError, type OpenPreview, type Preview, type PreviewTicket } from "@gantry/protocol";
import type { PreviewService } from "./handlers.ts";
import type { Listener } from "./listener.ts";
import { Passes } from "./passes.ts";
import { InspectorFiles } from "./response/inspector-files.ts";
import { parseTarget, type Target } from "./target.ts";

export type PreviewsDeps = {
  id: () => string;
  now: () => string;
  /** Throws `no_such_session`. */
  requireSession: (id: string) => void;
  /** The daemon's own port, once it listens. */
  daemonPort: () => number | undefined;
  /** A folder with the inspector's scripts, where the page is built. */
  inspectorDir?: string;
  /** A line for the daemon's log. */
  log: (line: string) => void;
  /** Finds the servers of a session. Absent: it has none. */
  findServers?: (session: string, ownPorts: ReadonlySet<number>) => Promise<DevServer[]>;
  /** How long a preview may be open without a single connection. */
  idleMs?: number;
};

const MOST_OPEN = 20;
const IDLE_MS = 2 * 3_600_000;

type Open = { about: Omit<Preview, "origin" | "url">; listener: Listener; passes: Passes; idle?: NodeJS.Timeout };

/** All previews of the daemon. Each has a separate port; they end with the daemon. */
export class Previews implements PreviewService {
  readonly #deps: PreviewsDeps;
  readonly #open = new Map<string, Open>();
  /** Previews whose port is being opened. They count against the limit. */
  #opening = 0;
  #stopped = false;

  constructor(deps: PreviewsDeps) {
    this.#deps = deps;
  }

  async open(body: OpenPreview, host: string | undefined): Promise<Preview> {
    if (body.session !== undefined) this.#deps.requireSession(body.session);
    const target = parseTarget(body, this.#ownPorts());
    if (this.#open.size + this.#opening >= MOST_OPEN) {
      throw new GantryError("too_many_previews", `${MOST_OPEN} previews are open already.`, {
        remedy: "Close one of them: DELETE /v1/previews/<id>.",
      });
    }
    const id = this.#deps.id();
    this.#opening++;
    const passes = new Passes();
    const listener = await this.#listen(id, target, passes).finally(() => this.#opening--);
    if (this.#stopped) {
      await listener.close();
      throw new GantryError("unavailable", "The daemon is stopping.");
    }
    const session = body.session === undefined ? {} : { session: body.session };
    const about = { id, target: target.url.href, ...session, createdAt: this.#deps.now() };
    const open = { about, listener, passes };
    this.#open.set(id, open);
    this.#rest(id);
    return { ...show(open, host), url: this.ticket(id, undefined, host).url };
  }

  ticket(id: string, path: string | undefined, host: string | undefined): PreviewTicket {
    const open = this.#require(id);
    const { pathname, search, hash } = new URL(open.about.target);
    const { path: entry, expiresAt } = open.passes.issue(path ?? pathname + search + hash);
    return { url: show(open, host).origin + entry, expiresAt };
  }

  list(host: string | undefined): Preview[] {
    return [...this.#open.values()].map((open) => show(open, host));
  }

  async close(id: string): Promise<void> {
    const open = this.#require(id);
    this.#open.delete(id);
    clearTimeout(open.idle);
    await open.listener.close();
  }

  async servers(session: string): Promise<DevServer[]> {
    this.#deps.requireSession(session);
    return (await this.#deps.findServers?.(session, this.#ownPorts())) ?? [];
  }

  revokePasses(): void {
    for (const { passes, listener } of this.#open.values()) {
      passes.revokeAll();
      listener.endConnections();
    }
  }

  /** Closes all previews. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }

  #require(id: string): Open {
    const open = this.#open.get(id);
    if (open) return open;
    throw new GantryError("no_such_preview", `There is no preview ${id}.`);
  }

  async #listen(id: string, target: Target, passes: Passes): Promise<Listener> {
    // Most daemons never open a preview, so its code is loaded on first use.
    const { openListener } = await import("./listener.ts");
    const inspector = new InspectorFiles(this.#deps.inspectorDir);
    try {
      return await openListener({ target, inspector, passes, pages: () => this.#pages() }, () => this.#rest(id));
    } catch (error) {
      throw new GantryError("unavailable", `No port could be opened for the preview: ${(error as Error).message}`);
    }
  }

  /** No client is connected: starts the idle timer that ends the preview. */
  #rest(id: string): void {
    const open = this.#open.get(id);
    if (!open) return;
    clearTimeout(open.idle);
    open.idle = setTimeout(() => {
      if (open.listener.connections() > 0) return;
      this.#deps.log(`preview ${id} ended: idle for too long`);
      void this.close(id);
    }, this.#deps.idleMs ?? IDLE_MS).unref();
  }

  #ownPorts(): Set<number> {
    const ports = [...this.#open.values()].map(({ listener }) => listener.port);
    const daemon = this.#deps.daemonPort();
    return new Set(daemon === undefined ? ports : [...ports, daemon]);
  }

  #pages(): string[] {
    const port = this.#deps.daemonPort();
    return port === undefined ? [] : ["127.0.0.1", "localhost"].map((name) => `http://${name}:${port}`);
  }
}

/** Cookies ignore ports. The preview uses the host name that the page does not use, so that they share no cookies. */
function show({ about, listener }: Open, host: string | undefined): Preview {
  const name = host?.toLowerCase().replace(/:\d+$/, "") === "localhost" ? "127.0.0.1" : "localhost";
  return { ...about, origin: `http://${name}:${listener.port}` };
}
