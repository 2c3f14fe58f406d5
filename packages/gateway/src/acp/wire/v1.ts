import * as acp from "@agentclientprotocol/sdk/unstable";
import { Gateway, type OpenedSession } from "../gateway.ts";
import type { ConfigOption } from "../requests/config-options.ts";
import { turnError } from "../requests/errors.ts";
import type { Api } from "../session/api.ts";
import type { EditorClient } from "../session/editor-client.ts";
import { encodeTool, encodeV1, type V1Display } from "../updates/encode-v1.ts";
import { encodeUsage } from "../updates/encode-v2.ts";
import { checkLogin, type LoginMethod, loginMethods } from "./auth.ts";
import { type AcpOptions, answer } from "./options.ts";
import { beginAfterReply, closing, createElicit, readPlace, registerShared } from "./shared.ts";

/** Version 1 of the protocol for one connection: the response to a prompt reports the end of its turn. */
export function createV1(api: Api, options: AcpOptions): acp.AgentApp {
  const app = acp.agent({ name: "gantry" });
  let capabilities: acp.ClientCapabilities = {};
  let gateway: Gateway | undefined;
  const requireGateway = () => {
    if (gateway) return gateway;
    throw acp.RequestError.invalidRequest(undefined, "Send initialize first.");
  };
  app.onRequest("initialize", async ({ params, client }) => {
    capabilities = params.clientCapabilities ?? {};
    gateway ??= new Gateway(
      api,
      createEditor(client, () => capabilities),
      options.defaults ?? {},
    );
    const methods = await loginMethods(api, options.defaults?.agent);
    return { ...describeAgent(options.version), authMethods: methods.map((one) => encodeMethod(one, capabilities)) };
  });
  app.onRequest("authenticate", ({ params }) => answer(async () => checkLogin(api, params.methodId).then(() => ({}))));
  registerSessions(app, requireGateway);
  registerSettings(app, requireGateway);
  registerTurns(app, requireGateway);
  return app;
}

function registerSessions(app: acp.AgentApp, requireGateway: () => Gateway): void {
  registerShared(app, requireGateway, describeSession);
  const open = async (params: acp.LoadSessionRequest | acp.ResumeSessionRequest, replay: "all" | "none") => {
    const opened = await requireGateway().open(params.sessionId, readPlace(params), replay);
    beginAfterReply(requireGateway(), opened);
    return describeSession(opened);
  };
  app.onRequest("session/load", ({ params }) => answer(() => open(params, "all")));
  app.onRequest("session/resume", ({ params }) => answer(() => open(params, "none")));
}

function registerSettings(app: acp.AgentApp, requireGateway: () => Gateway): void {
  app.onRequest("session/set_mode", ({ params }) =>
    answer(async () =>
      requireGateway()
        .setOption(params.sessionId, "mode", params.modeId)
        .then(() => ({})),
    ),
  );
  app.onRequest("session/set_config_option", ({ params }) =>
    answer(async () => ({
      configOptions: (await requireGateway().setOption(params.sessionId, params.configId, params.value)).map(
        encodeOption,
      ),
    })),
  );
  // Editors from before config options set the model with this method.
  app.onRequest("session/set_model", parseModel, ({ params }) =>
    answer(async () =>
      requireGateway()
        .setOption(params.sessionId, "model", params.modelId)
        .then(() => ({})),
    ),
  );
}

function registerTurns(app: acp.AgentApp, requireGateway: () => Gateway): void {
  app.onRequest("session/prompt", ({ params, signal }) =>
    answer(async () => {
      // `$/cancel_request` is a cancel; the end of the connection is not: the turn continues.
      const cancel = () => {
        if (signal.reason instanceof acp.RequestError) void requireGateway().cancel(params.sessionId);
      };
      signal.addEventListener("abort", cancel, { once: true });
      const end = await requireGateway().prompt(params.sessionId, params.prompt, params._meta);
      signal.removeEventListener("abort", cancel);
      if (end.stopReason === "error") throw turnError(end);
      return { stopReason: end.stopReason, ...(end.usage ? { usage: encodeUsage(end.usage) } : {}) };
    }),
  );
}

function createEditor(client: acp.AgentContext, capabilities: () => acp.ClientCapabilities): EditorClient {
  const folders = new Map<string, string>();
  const display = (session: string): V1Display => {
    const { _meta, session: shown } = capabilities();
    const { notices } = (shown ?? {}) as { notices?: unknown };
    return { terminals: _meta?.terminal_output === true, notices: !!notices, cwd: folders.get(session) ?? "/" };
  };
  const send = (sessionId: string, update: acp.SessionUpdate) => client.notify("session/update", { sessionId, update });
  const editor: EditorClient = {
    promptEnds: true,
    setFolder: (session, cwd) => void folders.set(session, cwd),
    update: async (session, update) => {
      for (const one of encodeV1(update, display(session))) await send(session, one);
    },
    updateConfig: async (session, options) => {
      await send(session, { sessionUpdate: "config_option_update", configOptions: options.map(encodeOption) });
      const mode = options.find(({ id }) => id === "mode");
      if (mode) await send(session, { sessionUpdate: "current_mode_update", currentModeId: mode.current });
    },
    requestPermission: async (sessionId, { tool, fields, choices }, signal) => {
      const options = choices.map(({ id, name, kind }) => ({ optionId: id, name, kind }));
      const toolCall = { toolCallId: tool, ...encodeTool(tool, fields, display(sessionId), false) };
      const request: acp.RequestPermissionRequest = { sessionId, toolCall, options };
      const { outcome } = await client.request("session/request_permission", request, closing(signal));
      return outcome.outcome === "selected" ? outcome.optionId : undefined;
    },
  };
  if (!capabilities().elicitation?.form) return editor;
  return { ...editor, elicit: createElicit(client) };
}

function describeAgent(version: string): acp.InitializeResponse {
  return {
    protocolVersion: 1,
    agentInfo: { name: "gantry", title: "Gantry", version },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
      sessionCapabilities: { list: {}, resume: {}, fork: {}, close: {}, additionalDirectories: {} },
    },
  };
}

/** A client with terminals runs the login; others show how to do it. Zed reads the command in `_meta`. */
function encodeMethod(
  { id, name, description, args, command }: LoginMethod,
  client: acp.ClientCapabilities,
): acp.AuthMethod {
  const [program = "", ...rest] = command;
  const _meta = { "terminal-auth": { label: name, command: program, args: rest } };
  return client.auth?.terminal
    ? { type: "terminal", id, name, description, args, _meta }
    : { id, name, description, _meta };
}

function describeSession({ session, options }: OpenedSession) {
  const mode = options.find(({ id }) => id === "mode");
  const availableModes = (mode?.choices ?? []).map(({ value, name, description }) => ({
    id: value,
    name,
    description,
  }));
  const modes = mode ? { modes: { currentModeId: mode.current, availableModes } } : {};
  return { ...modes, configOptions: options.map(encodeOption), _meta: { gantry: { agent: session.agent } } };
}

function encodeOption({ id, name, category, current, choices }: ConfigOption): acp.SessionConfigOption {
  return { type: "select", id, name, ...(category ? { category } : {}), currentValue: current, options: choices };
}

function parseModel(params: unknown): { sessionId: string; modelId: string } {
  const { sessionId, modelId } = (params ?? {}) as Record<string, unknown>;
  if (typeof sessionId === "string" && typeof modelId === "string") return { sessionId, modelId };
  throw acp.RequestError.invalidParams(undefined, "session/set_model needs sessionId and modelId.");
}
