export type { ScriptedModel, ScriptedModelOptions, SeenRequest } from "@gantry/scripted";
export { scenarios } from "@gantry/scripted";
export { agentScenarios, type FaultName, faultTable, lastMarker, type Marker } from "@gantry/scripted/agent";
export { canaries, plantCanaries } from "./canary/canary.ts";
export { ASKED_FILE as fakeAgentAsked } from "./fake-agent/asked.ts";
export {
  type DialectName,
  type FakeAgentOptions,
  type FaultSpec,
  writeFakeAgent,
} from "./fake-agent/write-fake-agent.ts";
export { readSwitch } from "./fault-agent/switches.ts";
export { type FaultProtocol, SWITCH_FILE, writeFaultAgent } from "./fault-agent/write-fault-agent.ts";
export { type McpServerCall, mcpServer } from "./mcp-server/program.ts";
export { startScriptedModel } from "./model/start.ts";
export { LINUX, needs, REAL_AGENTS, type Requirement, SANDBOX, TMUX } from "./needs.ts";
export { type Capture, type CapturedFrame, readCapture } from "./replay/capture.ts";
export { type PlayerOptions, playCapture } from "./replay/player.ts";
export { SmallDisk } from "./small-disk.ts";
export { type Spawned, spawnLines } from "./spawned.ts";
export { findTokenLeaks, requireNoTokenLeak } from "./token-search.ts";
export { vendorBinary } from "./vendor/binary.ts";
export { bareEnvironment, type HermeticOptions, hermeticEnvironment } from "./vendor/environment.ts";
export { vendorPackage, vendors } from "./vendor/vendors.ts";
