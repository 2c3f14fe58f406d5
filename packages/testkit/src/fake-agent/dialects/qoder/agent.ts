// From: a recording of the greeting of Qoder CLI 1.1.52 and the modes in its program. It opens conversations only for users
// of its service, so everything else is the plain protocol.
import { acpDialect } from "../acp/agent.ts";
import { plainProfile } from "../acp/plain.ts";

const MODES = ["default", "acceptEdits", "auto", "dontAsk", "yolo"];

export const qoder = acpDialect({
  ...plainProfile,
  versionText: "1.1.52",
  greeting: {
    protocolVersion: 1,
    authMethods: [{ id: "qodercli-login", name: "Use qodercli login" }],
    agentInfo: { name: "qoder-cli", title: "Qoder CLI", version: "1.1.52" },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { close: {}, list: {}, resume: {} },
      promptCapabilities: { image: true, embeddedContext: true },
      mcpCapabilities: { http: true, sse: true },
    },
  },
  mode: "default",
  offers: ({ mode }) => ({ modes: { currentModeId: mode, availableModes: MODES.map((id) => ({ id, name: id })) } }),
  asks: ({ step }, { mode }) => {
    if (mode === "yolo" || step.do === "read" || (step.do === "run" && step.harmless)) return false;
    return mode === "default" || step.do === "run";
  },
});
