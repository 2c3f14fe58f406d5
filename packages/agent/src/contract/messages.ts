import type { ImageBlock, Message, TextBlock } from "@gantry/models";

/** A command that the user ran; unless `excludeFromContext`, the model is told of it. */
export type BashExecution = {
  role: "bashExecution";
  command: string;
  output: string;
  exitCode?: number;
  cancelled: boolean;
  truncated: boolean;
  artifactId?: string;
  excludeFromContext?: boolean;
  timestamp: number;
};
/** A message of the program or a host: shown if `display`, and told to the model as the user's. */
export type CustomMessage = {
  role: "custom";
  customType: string;
  content: string | (TextBlock | ImageBlock)[];
  display: boolean;
  details?: unknown;
  timestamp: number;
};
export type BranchSummary = { role: "branchSummary"; summary: string; fromId: string; timestamp: number };
export type CompactionSummary = { role: "compactionSummary"; summary: string; tokensBefore: number; timestamp: number };

/** What a session holds; `told` (loop/told.ts) makes of it what a model is told. */
export type AgentMessage = Message | BashExecution | CustomMessage | BranchSummary | CompactionSummary;
