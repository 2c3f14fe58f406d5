/** The parts of the scripted agent that an agent with another protocol can reuse: steps, turns, faults and output. */
export { lastMarker, type Marker } from "../marker.ts";
export { contentText } from "../model/wire/format.ts";
export { pieces } from "../pieces.ts";
export { type FaultName, Faults, faultTable } from "./faults.ts";
export { type Dialect, flagValue, type Host, type Receiver } from "./host.ts";
export { inFolder, previewChange } from "./perform.ts";
export { runAgent } from "./run.ts";
export { agentScenarios, steeredSteps, stepsFor } from "./script/script.ts";
export type { PlanEntry, ToolStep } from "./script/step.ts";
export { scripted } from "./scripted.ts";
export type {
  Answer,
  Channel,
  Ending,
  FileChange,
  Request,
  Subagent,
  ToolCall,
  ToolOutcome,
  TurnSink,
} from "./sink.ts";
export { type Conversation, ConversationStore, type PastTurn } from "./store.ts";
export { Turn } from "./turn.ts";
