import type { Scenario } from "../scenario.ts";
import { approvalScenarios } from "./approvals.ts";
import { compactionScenarios } from "./compaction.ts";
import { continuityScenarios } from "./continuity.ts";
import { deadlineScenarios } from "./deadlines.ts";
import { failureScenarios } from "./failures.ts";
import { fallbackScenarios } from "./fallback.ts";
import { interruptScenarios } from "./interrupts.ts";
import { kitScenarios } from "./kit.ts";
import { knowledgeScenarios } from "./knowledge.ts";
import { questionScenarios } from "./questions.ts";
import { queueScenarios } from "./queue.ts";
import { scaleScenarios } from "./scale.ts";
import { settingScenarios } from "./settings.ts";
import { talkScenarios } from "./talk.ts";
import { toolScenarios } from "./tools.ts";

export type Group = { title: string; scenarios: readonly Scenario[] };

/** All scenarios, in the order of the table. */
export const groups: readonly Group[] = [
  { title: "Conversation", scenarios: talkScenarios },
  { title: "Tools", scenarios: toolScenarios },
  { title: "Approvals", scenarios: approvalScenarios },
  { title: "Questions, plans and subagents", scenarios: questionScenarios },
  { title: "Interrupting", scenarios: interruptScenarios },
  { title: "Queue and steering", scenarios: queueScenarios },
  { title: "Continuity", scenarios: [...continuityScenarios, ...compactionScenarios] },
  { title: "Modes and models", scenarios: settingScenarios },
  { title: "Failures", scenarios: failureScenarios },
  { title: "Deadlines", scenarios: deadlineScenarios },
  { title: "Knowledge", scenarios: knowledgeScenarios },
  { title: "Servers, skills and instructions", scenarios: kitScenarios },
  { title: "Many at once", scenarios: scaleScenarios },
  { title: "Fallback channel", scenarios: fallbackScenarios },
];

/** Without these an agent is of no use: what is tried when there is no time for all. */
export const coreScenarios: readonly string[] = [
  "text",
  "thinking",
  "approve",
  "deny",
  "multi-tool",
  "interrupt-streaming",
  "interrupt-tool",
  "interrupt-asking",
  "error-401",
  "resume",
  "restart",
  "fallback-text",
  "mcp-server",
];
