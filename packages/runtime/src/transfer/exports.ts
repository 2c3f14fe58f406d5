import { type ExportFormat, GantryError, type SessionView } from "@gantry/protocol";
import { readSessionServers, secretsOfServers } from "../session/storage/session-servers.ts";
import { FILE_TYPE } from "./container/format.ts";
import { eventsUpTo, type PackDeps, pack } from "./container/write.ts";
import { entriesOf, type Page } from "./export/page.ts";
import type { Exported } from "./port.ts";
import { Redactor } from "./redact.ts";

export type ExportDeps = PackDeps & {
  /** The display name of an agent. */
  agentName(id: string): string;
  userHome: string;
  /** The daemon's secrets. */
  secrets: readonly string[];
};

/** Exports sessions as files. Each is streamed from a snapshot of the log. */
export class Exports {
  readonly #deps: ExportDeps;

  constructor(deps: ExportDeps) {
    this.#deps = deps;
  }

  /** Throws `no_such_session`. */
  export(id: string, format: ExportFormat, redact: boolean): Exported {
    const view = this.#deps.store.sessions.get(id)?.view;
    if (!view) throw new GantryError("no_such_session", `There is no session ${id}.`);
    const redactor = redact ? this.#redactor(view) : undefined;
    const name = `${id.replace(/[^\w.-]/g, "-")}.${EXTENSIONS[format]}`;
    return { name, type: TYPES[format], pieces: this.#pieces(view, format, redactor) };
  }

  #pieces(view: SessionView, format: ExportFormat, redactor: Redactor | undefined) {
    if (format === "gantry") return pack(this.#deps, view, redactor);
    if (format === "jsonl") return jsonLines(this.#deps, view, redactor);
    return this.#forPeople(view, format, redactor);
  }

  /** Loads a renderer when it is needed. */
  async *#forPeople(view: SessionView, format: "html" | "md", redactor: Redactor | undefined): AsyncGenerator<string> {
    const page = this.#page(view, redactor);
    const pieces =
      format === "html"
        ? (await import("./export/html.ts")).html(page)
        : (await import("./export/markdown.ts")).markdown(page);
    yield* gatherPieces(pieces);
  }

  #page(view: SessionView, redactor: Redactor | undefined): Page {
    const { store, blobs, version, now, patchOf, agentName } = this.#deps;
    const clean = (text: string) => (redactor ? redactor.text(text) : text);
    return {
      view,
      agentName: agentName(view.agent),
      version,
      now: now(),
      blobs,
      redacted: redactor !== undefined,
      clean,
      entries: () => entriesOf(store, view),
      patchOf: async (turn) => {
        const patch = await patchOf(view.id, turn);
        return patch === undefined ? undefined : clean(patch);
      },
    };
  }

  #redactor({ id, cwd }: SessionView): Redactor {
    const { store, userHome, secrets } = this.#deps;
    const paths = [
      { path: cwd, as: "." },
      { path: userHome, as: "~" },
    ];
    const own = [...Object.values(store.sessions.env(id)), ...secretsOfServers(readSessionServers(store, id))];
    return new Redactor({ paths, values: [...secrets, ...own] });
  }
}

const EXTENSIONS: Record<ExportFormat, string> = { gantry: "gantry", html: "html", md: "md", jsonl: "jsonl" };
const TYPES: Record<ExportFormat, string> = {
  gantry: FILE_TYPE,
  html: "text/html; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  jsonl: "application/x-ndjson",
};

async function* jsonLines(deps: ExportDeps, view: SessionView, redactor: Redactor | undefined): AsyncGenerator<string> {
  const lines = (function* all() {
    for (const json of eventsUpTo(deps.store, view)) {
      yield `${redactor ? JSON.stringify(redactor.event(JSON.parse(json))) : json}\n`;
    }
  })();
  yield* gatherPieces(lines);
}

const GATHERED = 64 * 1024;

/** Joins small pieces to worthwhile writes, and yields to other work between them. */
async function* gatherPieces(pieces: Iterable<string> | AsyncIterable<string>): AsyncGenerator<string> {
  let waiting = "";
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < GATHERED) continue;
    yield waiting;
    waiting = "";
    await new Promise(setImmediate);
  }
  if (waiting !== "") yield waiting;
}
