import { realPath, type TrustItem } from "@gantry/trust";
import type { ApiParts } from "../api/create-api.ts";
import { readMarkdownCommands } from "../commands/markdown.ts";
import { type DiscoverySettings, discoverExtensions, withItem } from "../discovery/discover.ts";
import { contentOf, type Found } from "../discovery/found.ts";
import type { ExtensionPlace } from "../discovery/places.ts";
import { readHookFile } from "../hooks/hook-file.ts";
import { loadModule } from "./load-module.ts";
import { blankExtension, type Loaded } from "./loaded.ts";
import type { Supervisor } from "./supervise.ts";

/** Node keeps every version of a module, so one process loads at most this many. */
const MOST_LOADS = 200;

export type ExtensionSettings = DiscoverySettings & { disabledExtensions: readonly string[] };

export type SetParts = {
  place: ExtensionPlace;
  /** Read again at each forced refresh. */
  readSettings(): Promise<ExtensionSettings>;
  /** Whether the user has trusted this content in the session's folder. */
  isTrusted(item: TrustItem): boolean;
  supervisor: Supervisor;
  api: ApiParts;
};

/** The extensions of a process. `refresh` loads what has changed since; everything else stays. */
export class ExtensionSet {
  readonly #parts: SetParts;
  #loaded: Loaded[] = [];
  #settings: ExtensionSettings | undefined;
  #loads = 0;

  constructor(parts: SetParts) {
    this.#parts = parts;
  }

  get all(): readonly Loaded[] {
    return this.#loaded;
  }

  /** `force` also loads those again that are unchanged or were disabled after failures. Returns the names of changed ones. */
  async refresh(force = false): Promise<string[]> {
    const { place, readSettings } = this.#parts;
    if (force || !this.#settings) this.#settings = await readSettings();
    const before = new Map(this.#loaded.map((each) => [keyOf(each.found), each]));
    const next: Loaded[] = [];
    const changed: string[] = [];
    for (const found of discoverExtensions(place, this.#settings)) {
      const known = before.get(keyOf(found));
      const state = this.#stateOf(found);
      const isSame = known && contentOf(known.found.files) === contentOf(found.files) && isStill(known, state);
      if (known && isSame && !(force && state === "active")) {
        before.delete(keyOf(found));
        next.push(known);
        continue;
      }
      if (known) await this.#unload(known);
      before.delete(keyOf(found));
      next.push(await this.#load(found, state));
      changed.push(found.name);
    }
    for (const gone of before.values()) {
      await this.#unload(gone);
      changed.push(gone.found.name);
    }
    this.#loaded = next;
    return changed;
  }

  async dispose(): Promise<void> {
    for (const each of this.#loaded.splice(0)) await this.#unload(each);
  }

  /** Whether a project's file, and the scripts that it names, still have the trusted content. */
  isUnchanged({ found }: Loaded): boolean {
    if (found.item === undefined) return true;
    const { place, isTrusted } = this.#parts;
    return withItem(found, place.cwd).item?.hash === found.item.hash && isTrusted(found.item);
  }

  #stateOf(found: Found): Loaded["state"] {
    const { isTrusted } = this.#parts;
    if (this.#settings?.disabledExtensions.includes(found.name)) return "disabled";
    if (found.problem !== undefined) return "failed";
    return found.item && !isTrusted(found.item) ? "untrusted" : "active";
  }

  async #load(found: Found, state: Loaded["state"]): Promise<Loaded> {
    if (state !== "active") return blankExtension(found, state, found.problem);
    const { supervisor, api, place } = this.#parts;
    if (found.kind === "commands") {
      const loaded = blankExtension(found, "active");
      loaded.texts.push(...(await readMarkdownCommands(found)));
      return loaded;
    }
    if (found.kind === "hooks") {
      const loaded = blankExtension(found, "active");
      const { hooks, problems } = readHookFile([...found.files.values()][0] ?? "{}");
      loaded.hooks.push(...hooks);
      if (problems.length > 0) loaded.problem = problems.join(" ");
      for (const problem of problems) supervisor.note(loaded, "load", problem);
      return loaded;
    }
    this.#loads += 1;
    if (this.#loads > MOST_LOADS)
      return blankExtension(found, "failed", "It was changed too often in this process. Restart the agent to load it.");
    return await loadModule(found, place.agentDir, supervisor, api);
  }

  async #unload(extension: Loaded): Promise<void> {
    const { cleanup } = extension;
    if (cleanup) await this.#parts.supervisor.run(extension, "unload", UNLOAD_MS, cleanup);
    if (extension.state === "active") extension.state = "disabled";
    extension.release?.();
  }
}

const UNLOAD_MS = 5_000;

function keyOf({ kind, path }: Found): string {
  return `${kind} ${realPath(path)}`;
}

/** An extension that was disabled after failures, or failed to load, stays so until its files change. */
function isStill({ state, found }: Loaded, wanted: Loaded["state"]): boolean {
  if (state === wanted) return true;
  return wanted === "active" && found.problem === undefined && (state === "failed" || state === "disabled");
}
