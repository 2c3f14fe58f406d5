import { answerInput } from "./answer-input.ts";
import { compareLanes } from "./compare-lanes.ts";
import type { Tool } from "./define-tool.ts";
import { interruptSession } from "./interrupt-session.ts";
import { landLane } from "./land-lane.ts";
import { listAgents } from "./list-agents.ts";
import { listLanes } from "./list-lanes.ts";
import { listSessions } from "./list-sessions.ts";
import { readSession } from "./read-session.ts";
import { sendMessage } from "./send-message.ts";
import { startSession } from "./start-session.ts";
import { waitForSession } from "./wait-for-session.ts";

/** Every tool of the coordinator, in the order in which it is listed. To add one, define it in a file here and list it. */
export const allTools: readonly Tool[] = [
  listAgents,
  listSessions,
  startSession,
  sendMessage,
  waitForSession,
  readSession,
  interruptSession,
  listLanes,
  compareLanes,
  answerInput,
  landLane,
];
