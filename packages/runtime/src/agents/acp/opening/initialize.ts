import { rpcRequest, withVersion } from "../../../framing/json-rpc.ts";
import type { Outbound, Output, Step } from "../../contract.ts";
import { compact, type Fields, preview } from "../../fields.ts";
import type { Dialect } from "../dialect.ts";
import { notice } from "../outputs.ts";
import type { State } from "../state.ts";
import { readCapabilities } from "./capabilities.ts";
import { readMethods } from "./login-methods.ts";
import { refuseOpening } from "./ready.ts";
import { serverParams } from "./servers.ts";

/** Client information for both versions. The agent uses its own files and terminals. */
const info = { name: "gantry", title: "Gantry", version: "0.1.0" };
const clientCapabilities = { fs: { readTextFile: false, writeTextFile: false }, terminal: false };

export function initializeParams(version: 1 | 2, forms = false): Fields {
  const offered = forms ? { ...clientCapabilities, elicitation: { form: {} } } : clientCapabilities;
  const first = { protocolVersion: version, clientInfo: info, clientCapabilities: offered };
  return version === 1 ? first : { ...first, info, capabilities: {} };
}

export function initializeFrames(dialect: Dialect, state: State): Outbound[] {
  const msg = withVersion(rpcRequest(state.nextId, "initialize", initializeParams(dialect.version, dialect.forms)));
  return [{ msg, key: "greeting", repeat: "safe" }];
}

/** Handles the `initialize` response and opens the conversation, once. */
export function handleInitialize(dialect: Dialect, state: State, result: Fields): Step<State> {
  if (state.phase !== "greeting") return [state, []];
  const { protocolVersion = 1 } = result;
  if (protocolVersion !== 1 && protocolVersion !== dialect.version) {
    const offered = `Gantry offered version ${dialect.version}`;
    const received = `The agent answered with protocol version ${preview(protocolVersion)}; ${offered}.`;
    return refuseOpening(state, received);
  }
  const can = readCapabilities(result);
  const next: State = {
    ...state,
    phase: "opening",
    version: protocolVersion === 2 ? 2 : 1,
    can: compact({ ...can, image: dialect.dropsImages ? undefined : can.image }),
    methods: readMethods(result.authMethods),
  };
  return [next, [{ kind: "ack", key: "greeting" }, ...openSession(dialect, next)]];
}

/**
 * The request that opens the conversation, or `lost` if the agent lacks the method. `session/resume` is preferred,
 * because `session/load` replays the whole history.
 */
export function openSession(dialect: Dialect, state: State): Output[] {
  const { cwd, resume, fork } = state.options;
  const method = openingMethod(dialect, state);
  if (!method) {
    const what = fork ? "copy" : "resume";
    return [{ kind: "lost", message: `The agent cannot ${what} a conversation.` }];
  }
  const { mcpServers, outputs } = serverParams(state);
  const added = folderParams(state);
  const params = { cwd, mcpServers, ...added.params, ...(resume ? { sessionId: resume } : {}) };
  const msg = withVersion(rpcRequest(state.nextId, method, params));
  const repeat = method === "session/load" || method === "session/resume" ? "safe" : "ask";
  return [...outputs, ...added.outputs, { kind: "send", frame: { msg, key: "open", repeat } }];
}

/** The parameter for the session's further folders, or a notice if the agent does not accept them. */
function folderParams({ options: { folders = [] }, can }: State): { params: Fields; outputs: Output[] } {
  if (folders.length === 0) return { params: {}, outputs: [] };
  if (can.folders) return { params: { additionalDirectories: [...folders] }, outputs: [] };
  const text = `The agent does not accept further folders, so it has only its working folder: ${folders.join(", ")}.`;
  return { params: {}, outputs: [notice("folders", "warning", text)] };
}

function openingMethod({ loads }: Dialect, { options, can }: State): string | undefined {
  if (!options.resume) return "session/new";
  if (options.fork) return can.fork ? "session/fork" : undefined;
  if (can.resume && !(loads && can.load)) return "session/resume";
  return can.load ? "session/load" : undefined;
}
