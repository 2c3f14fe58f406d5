import type { UrlHandler } from "../../contract/tool.ts";
import { ToolError, type UrlContent } from "../../contract/tool.ts";
import { schemeOf } from "./address.ts";
import { atJsonPath } from "./json-path.ts";

/** The sources of the built-in addresses. A missing source makes its scheme unknown. */
export type UrlSources = {
  artifact?(id: string): string | undefined;
  /** The result of a subagent. */
  agent?(id: string): string | undefined;
  rule?(name: string): string | undefined;
  skill?(name: string, path: string): Promise<string | undefined> | string | undefined;
  memory?(path: string): Promise<string | undefined> | string | undefined;
};

/**
 * Reads and writes addresses by scheme. `set` replaces the handlers that the same owner registered before; built-in
 * schemes cannot be replaced. Rejects with a `ToolError` whose message is for the model.
 */
export interface UrlRouter {
  readonly schemes: readonly string[];
  read(url: string, signal: AbortSignal): Promise<UrlContent>;
  write(url: string, content: string, signal: AbortSignal): Promise<void>;
  /** Returns the schemes that were refused. */
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
    throw new ToolError(`There is no handler for ${url}. Known: ${Object.keys(handlers()).join(", ") || "none"}.`);
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
  if (artifact) own.artifact = makeReader((host) => artifact(host), "text/plain");
  if (agent) own.agent = { read: async (url) => agentOutput(agent, url) };
  if (rule) own.rule = makeReader((host, path) => rule(path ? `${host}/${path}` : host), "text/markdown");
  if (skill) own.skill = makeReader((host, path) => skill(host, insidePath(path)), "text/markdown");
  if (memory)
    own.memory = makeReader((host, path) => memory(insidePath(path ? `${host}/${path}` : host)), "text/markdown");
  return own;
}

type Lookup = (host: string, path: string) => Promise<string | undefined> | string | undefined;

function makeReader(lookup: Lookup, contentType: NonNullable<UrlContent["contentType"]>): UrlHandler {
  return {
    read: async (url) => {
      const { host, path } = parts(url);
      const text = await lookup(host, path);
      if (text === undefined) throw new ToolError(`${url} does not exist.`);
      return { text, contentType };
    },
  };
}

/** `agent://id` is the whole result; `agent://id/a/0` and `agent://id?q=a[0].b` are parts of its JSON. */
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
    throw new ToolError(`The result of ${host} is not JSON, so it has no part ${steps}.`);
  }
  const part = atJsonPath(json, steps);
  if (part === undefined) throw new ToolError(`${url}: the result has no ${steps}.`);
  return typeof part === "string"
    ? { text: part }
    : { text: JSON.stringify(part, undefined, 2), contentType: "application/json" };
}

function parts(url: string): { host: string; path: string; query: string } {
  const match = /^[^:]+:\/\/([^/?#]*)\/?([^?#]*)(?:\?(?:q=)?([^#]*))?/.exec(url);
  return { host: decodePart(match?.[1]), path: decodePart(match?.[2]), query: decodePart(match?.[3]) };
}

function decodePart(text = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Rejects a path that leaves its folder. */
function insidePath(path: string): string {
  if (path.split(/[\\/]/).includes("..") || path.startsWith("/"))
    throw new ToolError(`${path} leads out of its folder.`);
  return path;
}
