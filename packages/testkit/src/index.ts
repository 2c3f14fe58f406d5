export { canaries, plantCanaries } from "./canary/canary.ts";
export { ASKED_FILE as fakeAgentAsked } from "./fake-agent/asked.ts";
export {
  type DialectName,
  type FaultName,
  faultTable,
} from "./fake-agent/faults.ts";
export { agentScenarios } from "./fake-agent/script.ts";
export { type FakeAgentOptions, type FaultSpec, writeFakeAgent } from "./fake-agent/write-fake-agent.ts";
export { lastMarker, type Marker } from "./marker.ts";
export { type McpServerCall, mcpServer } from "./mcp-server/program.ts";
export { scenarios } from "./model/scenarios.ts";
export {
  type ScriptedModel,
  type ScriptedModelOptions,
  type SeenRequest,
  startScriptedModel,
} from "./model/server.ts";
export { LINUX, needs, type Requirement } from "./needs.ts";
export { type Capture, type CapturedFrame, readCapture } from "./replay/capture.ts";
export { type PlayerOptions, playCapture } from "./replay/player.ts";
export { type Spawned, spawnLines } from "./spawned.ts";
export { vendorBinary } from "./vendor/binary.ts";
export { bareEnvironment, type HermeticOptions, hermeticEnvironment } from "./vendor/environment.ts";
export { vendors } from "./vendor/vendors.ts";
