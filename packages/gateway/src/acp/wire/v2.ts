import * as acp from "@agentclientprotocol/sdk/experimental/v2/unstable";
import { Gateway, type OpenedSession } from "../gateway.ts";
import type { ConfigOption } from "../requests/config-options.ts";
import type { Api } from "../session/api.ts";
import type { EditorClient } from "../session/editor-client.ts";
import { encodeCommands, encodeTool, encodeV2 } from "../updates/encode-v2.ts";
import { checkLogin, type LoginMethod, loginMethods } from "./auth.ts";
import { type AcpOptions, answer } from "./options.ts";
import { beginAfterReply, closing, createElicit, readPlace, registerShared } from "./shared.ts";

/** Version 2 of the protocol for one connection: the response to a prompt reports that its turn has started. */
export function createV2(api: Api, options: AcpOptions): acp.AgentApp {
  const app = acp.agent({ name: "gantry" });
  let gateway: Gateway | undefined;
  const requireGateway = () => {
    if (gateway) return gateway;
    throw acp.RequestError.invalidRequest(undefined, "Send initialize first.");
  };
  app.onRequest("initialize", async ({ params, client }) => {
    const capabilities = params.capabilities ?? {};
    gateway ??= new Gateway(api, createEditor(client, capabilities), options.defaults ?? {});
    const methods = await loginMethods(api, options.defaults?.agent);
    return { ...describeAgent(options.version), authMethods: methods.map((one) => encodeMethod(one, capabilities)) };
  });
  app.onRequest("auth/login", ({ params }) => answer(async () => checkLogin(api, params.methodId).then(() => ({}))));
  registerSessions(app, requireGateway);
  registerTurns(app, requireGateway);
  return app;
}

function registerSessions(app: acp.AgentApp, requireGateway: () => Gateway): void {
  registerShared(app, requireGateway, describeSession);
  app.onRequest("session/resume", ({ params }) =>
    answer(async () => {
      const replay = params.replayFrom?.type === "start" ? "all" : "none";
      const opened = await requireGateway().open(params.sessionId, readPlace(params), replay);
      beginAfterReply(requireGateway(), opened);
      return describeSession(opened);
    }),
  );
}

function registerTurns(app: acp.AgentApp, requireGateway: () => Gateway): void {
  app.onRequest("session/set_config_option", ({ params }) =>
    answer(async () => ({
      configOptions: (await requireGateway().setOption(params.sessionId, params.configId, params.value)).map(
        encodeOption,
      ),
    })),
  );
  app.onRequest("session/prompt", ({ params }) =>
    answer(async () => ({
      messageId: await requireGateway().startPrompt(params.sessionId, params.prompt, params._meta),
    })),
  );
}

function createEditor(client: acp.AgentContext, capabilities: acp.ClientCapabilities): EditorClient {
  const folders = new Map<string, string>();
  const send = (sessionId: string, update: acp.SessionUpdate) => client.notify("session/update", { sessionId, update });
  const editor: EditorClient = {
    promptEnds: false,
    setFolder: (session, cwd) => void folders.set(session, cwd),
    update: async (session, update) => {
      for (const one of encodeV2(update, folders.get(session) ?? "/")) await send(session, one);
    },
    updateConfig: (session, options) =>
      send(session, { sessionUpdate: "config_option_update", configOptions: options.map(encodeOption) }),
    requestPermission: async (sessionId, { title, description, tool, fields, choices }, signal) => {
      const options = choices.map(({ id, name, kind }) => ({ optionId: id, name, kind }));
      const subject = { type: "tool_call" as const, toolCall: encodeTool(tool, fields) };
      const request = { sessionId, title, ...(description ? { description } : {}), subject, options };
      const { outcome } = await client.request("session/request_permission", request, closing(signal));
      return acp.RequestPermissionOutcome.isSelected(outcome) ? outcome.optionId : undefined;
    },
  };
  if (!capabilities.elicitation?.form) return editor;
  return { ...editor, elicit: createElicit(client) };
}

function describeAgent(version: string): acp.InitializeResponse {
  return {
    protocolVersion: 2,
    info: { name: "gantry", title: "Gantry", version },
    capabilities: {
      session: {
        prompt: { image: {}, embeddedContext: {} },
        mcp: { stdio: {}, http: {} },
        fork: {},
        additionalDirectories: {},
      },
      auth: {},
    },
  };
}

function encodeMethod({ id, name, description, args }: LoginMethod, client: acp.ClientCapabilities): acp.AuthMethod {
  const method = { methodId: id, name, description };
  return client.auth?.terminal ? { type: "terminal", ...method, args } : { type: "agent", ...method };
}

function describeSession({ session, options }: OpenedSession) {
  return {
    configOptions: options.map(encodeOption),
    availableCommands: encodeCommands(session.commands ?? []),
    _meta: { gantry: { agent: session.agent } },
  };
}

function encodeOption({ id, name, category, current, choices }: ConfigOption): acp.SessionConfigOption {
  const more = category ? { category } : {};
  return { type: "select", configId: id, name, ...more, currentValue: current, options: choices };
}
