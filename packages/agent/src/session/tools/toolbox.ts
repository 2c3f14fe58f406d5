import type { ToolSpec } from "@gantry/models";
import type { Person } from "../../contract/ports.ts";
import { SessionError } from "../../contract/session.ts";
import type { UrlHandler } from "../../contract/tool.ts";
import { type Tool, type ToolContext, ToolError, type ToolMemory, type ToolPlace } from "../../contract/tool.ts";
import type { UserInterface } from "../../contract/ui.ts";
import { type PendingPreviews, RESOLVE } from "../../loop/previews.ts";
import type { OwnerRedaction } from "../../secrets/owner-token.ts";

export type ToolboxParts = {
  owner: Pick<OwnerRedaction, "stream">;
  place: ToolPlace;
  previews: PendingPreviews;
  person: Person | undefined;
  memory(): ToolMemory;
  keep(text: string, tool: string): string;
  readArtifact(id: string): string | undefined;
};

/** The tools and internal addresses of a session, by owner. For equal names, the later owner wins. */
export class Toolbox {
  /** Passed to each call. */
  ui: UserInterface | undefined;
  /** Without a choice, all tools are active. */
  #active: ReadonlySet<string> | undefined;
  readonly #parts: ToolboxParts;
  readonly #tools = new Map<string, () => readonly Tool[]>();
  readonly #urls = new Map<string, Record<string, UrlHandler>>();

  constructor(parts: ToolboxParts) {
    this.#parts = parts;
    this.setUrls("session", { artifact: { read: async (url) => ({ text: this.#artifact(url), immutable: true }) } });
  }

  setTools(owner: string, tools: readonly Tool[] | (() => readonly Tool[])): void {
    this.#tools.set(owner, typeof tools === "function" ? tools : () => tools);
  }

  setUrls(owner: string, schemes: Record<string, UrlHandler>): void {
    this.#urls.set(owner, schemes);
  }

  /** Hidden tools stay active: the session itself needs them. */
  listTools(): readonly Tool[] {
    const active = this.#active;
    return active ? this.#listAll().filter(({ name, hidden }) => hidden || active.has(name)) : this.#listAll();
  }

  listAllNames(): string[] {
    return this.#listAll().flatMap(({ name, hidden }) => (hidden ? [] : [name]));
  }

  setActive(names: readonly string[]): void {
    const all = this.listAllNames();
    const unknown = names.find((name) => !all.includes(name));
    if (unknown !== undefined) throw new SessionError(`There is no tool ${unknown}. Known tools: ${all.join(", ")}.`);
    this.#active = new Set(names);
  }

  /** The tools that the model is offered now. */
  listOffered(): ToolSpec[] {
    const deciding = this.#parts.previews.waiting;
    return this.listTools()
      .filter((tool) => !tool.hidden || (deciding && tool.name === RESOLVE))
      .map((tool) => tool.spec);
  }

  context(callId: string, signal: AbortSignal, progress: (delta: string) => void): ToolContext {
    const { place, previews, person, memory, keep, owner } = this.#parts;
    return {
      ...place,
      callId,
      signal,
      progress: owner.stream(progress).push,
      keep: async (text, tool) => `artifact://${keep(text, tool)}`,
      readUrl: async (url, stop) => await this.#handler(url).read(url, stop),
      writeUrl: async (url, content, stop) => {
        const handler = this.#handler(url);
        if (!handler.write) throw new ToolError(`${schemeOf(url)}:// cannot be written to.`);
        await handler.write(url, content, stop);
      },
      schemes: [...this.#schemes().keys()],
      ask: async (questions, stop) => {
        const answers = await person?.ask(questions, stop);
        if (!answers)
          throw new ToolError("The question was not answered: there is no person, or they declined to answer.");
        return answers;
      },
      ...(this.ui ? { ui: this.ui } : {}),
      pend: (action) => previews.pend(action),
      memory: memory(),
    };
  }

  schemes(): { scheme: string; description?: string }[] {
    return [...this.#schemes()].map(([scheme, { description }]) => ({ scheme, ...(description && { description }) }));
  }

  #listAll(): Tool[] {
    const byName = new Map<string, Tool>();
    for (const tools of this.#tools.values()) for (const tool of tools()) byName.set(tool.name, tool);
    return [...byName.values()];
  }

  #schemes(): Map<string, UrlHandler> {
    return new Map([...this.#urls.values()].flatMap((schemes) => Object.entries(schemes)));
  }

  #handler(url: string): UrlHandler {
    const schemes = this.#schemes();
    const handler = schemes.get(schemeOf(url));
    if (handler) return handler;
    throw new ToolError(
      `No handler for ${url}. Known schemes: ${[...schemes.keys()].map((each) => `${each}://`).join(", ")}`,
    );
  }

  #artifact(url: string): string {
    const id = url.slice("artifact://".length);
    const text = this.#parts.readArtifact(id);
    if (text === undefined) throw new ToolError(`There is no artifact "${id}" in this session.`);
    return text;
  }
}

function schemeOf(url: string): string {
  return url.slice(0, Math.max(0, url.indexOf("://"))).toLowerCase();
}
