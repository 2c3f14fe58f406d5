import { rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound, Output, Step } from "../../contract.ts";
import type { Dialect } from "../dialect.ts";
import type { AuthMethod, State } from "../state.ts";
import { compact, type Fields, fields, list, number, words } from "../wire/fields.ts";

/** What we are, in the words of both versions. The agent works on its own files and in its own terminals. */
const info = { name: "gantry", title: "Gantry", version: "0.1.0" };
const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

export function initializeParams(version: 1 | 2): Fields {
  const first = { protocolVersion: version, clientInfo: info, clientCapabilities };
  return version === 1 ? first : { ...first, info, capabilities: {} };
}

export function greeting(dialect: Dialect, state: State): Outbound[] {
  const msg = withVersion(rpcRequest(state.nextId, "initialize", initializeParams(dialect.version)));
  return [{ msg, key: "greeting", repeat: "safe" }];
}

/** The agent tells its version of the protocol and what it can do; the conversation is opened next, once. */
export function greeted(state: State, result: Fields): Step<State> {
  if (state.phase !== "greeting") return [state, []];
  const next: State = {
    ...state,
    phase: "opening",
    version: number(result.protocolVersion) === 2 ? 2 : 1,
    can: readCapabilities(result),
    methods: list(result.authMethods).map(fields).map(readMethod),
  };
  return [next, [{ kind: "ack", key: "greeting" }, ...openSession(next)]];
}

function readCapabilities(result: Fields): State["can"] {
  const first = fields(result.agentCapabilities);
  const more = fields(first.sessionCapabilities);
  const second = fields(fields(result.capabilities).session);
  const has = (value: unknown) => (value !== undefined && value !== null && value !== false) || undefined;
  return compact({
    image: has(fields(first.promptCapabilities).image) ?? has(fields(second.prompt).image),
    load: has(first.loadSession),
    // Version 2 asks it of every agent that has sessions at all.
    resume: has(more.resume) ?? has(fields(result.capabilities).session),
    fork: has(more.fork) ?? has(second.fork),
  });
}

function readMethod(method: Fields): AuthMethod {
  const id = words(method.id) ?? words(method.methodId) ?? "";
  const meta = fields(method._meta);
  const terminal = method.type === "terminal" || meta.type === "terminal" || meta["terminal-auth"] !== undefined;
  return compact({ id, name: words(method.name) ?? id, terminal: terminal || undefined });
}

/**
 * The request that opens the conversation. Its history stays with the agent where it can; `session/load` makes it tell
 * everything once more. `undefined` as a method means that the agent cannot do what is wanted.
 */
export function openSession(state: State): Output[] {
  const { cwd, resume, fork } = state.options;
  const method = openingMethod(state);
  if (!method) {
    const what = fork ? "copy" : "resume";
    return [{ kind: "lost", message: `The agent says that it cannot ${what} a conversation.` }];
  }
  const params = { cwd, mcpServers: [], ...(resume ? { sessionId: resume } : {}) };
  const msg = withVersion(rpcRequest(state.nextId, method, params));
  const repeat = method === "session/load" || method === "session/resume" ? "safe" : "ask";
  return [{ kind: "send", frame: { msg, key: "open", repeat } }];
}

function openingMethod({ options, can }: State): string | undefined {
  if (!options.resume) return "session/new";
  if (options.fork) return can.fork ? "session/fork" : undefined;
  if (can.resume) return "session/resume";
  return can.load ? "session/load" : undefined;
}
