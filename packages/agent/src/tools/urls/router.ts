import type { UrlHandler } from "../../contract/tool.ts";
import { ToolError, type UrlContent } from "../../contract/tool.ts";
import { schemeOf } from "./address.ts";
import { atJsonPath } from "./json-path.ts";

/** Where the texts behind the program's own addresses come from. What is missing makes its scheme unknown. */
export type UrlSources = {
  artifact?(id: string): string | undefined;
  /** What a subagent gave back. */
  agent?(id: string): string | undefined;
  rule?(name: string): string | undefined;
  skill?(name: string, path: string): Promise<string | undefined> | string | undefined;
  memory?(path: string): Promise<string | undefined> | string | undefined;
};

/**
 * Everything that can be read by an address of its own. `set` takes the place of what the same owner gave before;
 * a scheme of the program cannot be taken over. Reading rejects with a `ToolError` in words for the model.
 */
export interface UrlRouter {
  readonly schemes: readonly string[];
  read(url: string, signal: AbortSignal): Promise<UrlContent>;
  write(url: string, content: string, signal: AbortSignal): Promise<void>;
  /** Gives the schemes that it refused. */
  set(owner: string, schemes: Record<string, UrlHandler>): string[];
}

export function createUrlRouter(sources: UrlSources): UrlRouter {
  const own = ownHandlers(sources);
  const owners = new Map<string, Record<string, UrlHandler>>();
  const handlers = (): Record<string, UrlHandler> => Object.assign({}, ...owners.values(), own);
  const handlerOf = (url: string): UrlHandler => {
    const scheme = schemeOf(url);
    const handler = scheme ? handlers()[scheme] : undefined;
    if (handler) return handler;
    throw new ToolError(`There is nothing behind ${url}. Known: ${Object.keys(handlers()).join(", ") || "none"}.`);
  };
  return {
    get schemes() {
      return Object.keys(handlers());
    },
    read: async (url, signal) => handlerOf(url).read(url, signal),
    write: async (url, content, signal) => {
      const { write } = handlerOf(url);
      if (!write) throw new ToolError(`${url} can only be read.`);
      await write(url, content, signal);
    },
    set(owner, schemes) {
      const refused = Object.keys(schemes).filter((scheme) => scheme in own || !/^[a-z][a-z0-9+.-]*$/.test(scheme));
      owners.set(owner, Object.fromEntries(Object.entries(schemes).filter(([scheme]) => !refused.includes(scheme))));
      return refused;
    },
  };
}

function ownHandlers(sources: UrlSources): Record<string, UrlHandler> {
  const { artifact, agent, rule, skill, memory } = sources;
  const own: Record<string, UrlHandler> = {};
  if (artifact) own.artifact = reading((host) => artifact(host), "text/plain");
  if (agent) own.agent = { read: async (url) => agentOutput(agent, url) };
  if (rule) own.rule = reading((host, path) => rule(path ? `${host}/${path}` : host), "text/markdown");
  if (skill) own.skill = reading((host, path) => skill(host, insidePath(path)), "text/markdown");
  if (memory)
    own.memory = reading((host, path) => memory(insidePath(path ? `${host}/${path}` : host)), "text/markdown");
  return own;
}

type Lookup = (host: string, path: string) => Promise<string | undefined> | string | undefined;

function reading(lookup: Lookup, contentType: NonNullable<UrlContent["contentType"]>): UrlHandler {
  return {
    read: async (url) => {
      const { host, path } = parts(url);
      const text = await lookup(host, path);
      if (text === undefined) throw new ToolError(`${url} does not exist.`);
      return { text, contentType };
    },
  };
}

/** `agent://id` is the whole; `agent://id/a/0` and `agent://id?q=a[0].b` are a part of its JSON. */
function agentOutput(agent: (id: string) => string | undefined, url: string): UrlContent {
  const { host, path, query } = parts(url);
  const text = agent(host);
  if (text === undefined) throw new ToolError(`${url} does not exist.`);
  const steps = query || path;
  if (!steps) return { text, contentType: "text/markdown" };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new ToolError(`What ${host} gave is no JSON, so it has no part ${steps}.`);
  }
  const part = atJsonPath(json, steps);
  if (part === undefined) throw new ToolError(`${url}: there is no ${steps} in it.`);
  return typeof part === "string"
    ? { text: part }
    : { text: JSON.stringify(part, undefined, 2), contentType: "application/json" };
}

function parts(url: string): { host: string; path: string; query: string } {
  const match = /^[^:]+:\/\/([^/?#]*)\/?([^?#]*)(?:\?(?:q=)?([^#]*))?/.exec(url);
  return { host: decoded(match?.[1]), path: decoded(match?.[2]), query: decoded(match?.[3]) };
}

function decoded(text = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path that stays in its folder. */
function insidePath(path: string): string {
  if (path.split(/[\\/]/).includes("..") || path.startsWith("/"))
    throw new ToolError(`${path} leads out of its folder.`);
  return path;
}
