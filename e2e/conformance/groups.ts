import type { Scenario } from "./scenario.ts";
import { approvalScenarios } from "./scenarios/approvals.ts";
import { compactionScenarios } from "./scenarios/compaction.ts";
import { continuityScenarios } from "./scenarios/continuity.ts";
import { conversationScenarios } from "./scenarios/conversation.ts";
import { deadlineScenarios } from "./scenarios/deadlines.ts";
import { failureScenarios } from "./scenarios/failures.ts";
import { fallbackScenarios } from "./scenarios/fallback.ts";
import { interruptScenarios } from "./scenarios/interrupts.ts";
import { kitScenarios } from "./scenarios/kit.ts";
import { knowledgeScenarios } from "./scenarios/knowledge.ts";
import { controlScenarios } from "./scenarios/modes/controls.ts";
import { folderScenarios } from "./scenarios/modes/folders.ts";
import { projectScenarios } from "./scenarios/modes/hostile-project.ts";
import { promiseScenarios } from "./scenarios/modes/promises.ts";
import { settingScenarios } from "./scenarios/modes/settings.ts";
import { questionScenarios } from "./scenarios/questions.ts";
import { queueScenarios } from "./scenarios/queue.ts";
import { scaleScenarios } from "./scenarios/scale.ts";
import { taskScenarios } from "./scenarios/tasks.ts";
import { toolScenarios } from "./scenarios/tools.ts";

export type Group = { title: string; scenarios: readonly Scenario[] };

/** All scenarios, in the order of the table. */
export const groups: readonly Group[] = [
  { title: "Conversation", scenarios: conversationScenarios },
  { title: "Tools", scenarios: toolScenarios },
  { title: "Approvals", scenarios: approvalScenarios },
  { title: "Questions, plans and subagents", scenarios: questionScenarios },
  { title: "Interrupting", scenarios: interruptScenarios },
  { title: "Queue and steering", scenarios: queueScenarios },
  { title: "Background tasks", scenarios: taskScenarios },
  { title: "Continuity", scenarios: [...continuityScenarios, ...compactionScenarios] },
  { title: "Modes and models", scenarios: [...settingScenarios, ...controlScenarios, ...projectScenarios] },
  { title: "Modes against the agent's own configuration", scenarios: promiseScenarios },
  { title: "Failures", scenarios: failureScenarios },
  { title: "Deadlines", scenarios: deadlineScenarios },
  { title: "Knowledge", scenarios: knowledgeScenarios },
  { title: "Servers, skills and instructions", scenarios: kitScenarios },
  { title: "Extra folders", scenarios: folderScenarios },
  { title: "Many at once", scenarios: scaleScenarios },
  { title: "Fallback channel", scenarios: fallbackScenarios },
];

/** The scenarios that every usable agent must pass; `--core` runs only these. */
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
  "plan-permissive",
];
