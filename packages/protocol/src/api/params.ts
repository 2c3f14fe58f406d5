import type { z } from "zod";
import type { ErrorCode } from "../errors/codes.ts";
import { IdentityName } from "../identities/schema.ts";
import {
  AgentId,
  CommentId,
  EventNumber,
  GrantId,
  InputId,
  ItemId,
  JobId,
  LaneId,
  LaunchId,
  LimitId,
  MessageId,
  PreviewId,
  ProjectId,
  ScheduleId,
  SessionId,
  SubscriptionId,
  TerminalId,
  TurnId,
} from "../ids/schema.ts";
import { KitName } from "../kit/schema.ts";
import { ProviderName } from "../models/schema.ts";
import { SavedPromptName } from "../saved-prompts/schema.ts";
import { TaskId } from "../tasks/schema.ts";

/** The parameter after each path segment, and the error code for an unknown one. */
const resources: Record<string, { schema: z.ZodType<string>; missing: ErrorCode }> = {
  sessions: { schema: SessionId, missing: "no_such_session" },
  messages: { schema: MessageId, missing: "no_such_message" },
  turns: { schema: TurnId, missing: "no_such_turn" },
  reverts: { schema: JobId, missing: "no_such_revert" },
  items: { schema: ItemId, missing: "no_such_item" },
  tasks: { schema: TaskId, missing: "no_such_task" },
  comments: { schema: CommentId, missing: "no_such_comment" },
  at: { schema: EventNumber, missing: "no_such_event" },
  inputs: { schema: InputId, missing: "no_such_input" },
  grants: { schema: GrantId, missing: "no_such_grant" },
  agents: { schema: AgentId, missing: "no_such_agent" },
  terminals: { schema: TerminalId, missing: "no_such_terminal" },
  previews: { schema: PreviewId, missing: "no_such_preview" },
  "mcp-servers": { schema: KitName, missing: "no_such_server" },
  lanes: { schema: LaneId, missing: "no_such_lane" },
  profiles: { schema: AgentId, missing: "no_such_profile" },
  projects: { schema: ProjectId, missing: "no_such_project" },
  providers: { schema: ProviderName, missing: "no_such_provider" },
  launches: { schema: LaunchId, missing: "no_such_launch" },
  landings: { schema: JobId, missing: "no_such_landing" },
  schedules: { schema: ScheduleId, missing: "no_such_schedule" },
  identities: { schema: IdentityName, missing: "no_such_identity" },
  limits: { schema: LimitId, missing: "no_such_limit" },
  subscriptions: { schema: SubscriptionId, missing: "no_such_subscription" },
  "saved-prompts": { schema: SavedPromptName, missing: "no_such_prompt" },
  skills: { schema: KitName, missing: "no_such_skill" },
};

export type PathParam = { name: string; schema: z.ZodType<string>; missing: ErrorCode };

/** The parameters of a route's path such as `/v1/sessions/:id`, in order. Throws for an unknown resource. */
export function pathParams(path: string): PathParam[] {
  const segments = path.split("/");
  return segments.flatMap((segment, i) => {
    if (!segment.startsWith(":")) return [];
    const resource = resources[segments[i - 1] ?? ""];
    if (!resource) throw new Error(`${path}: unknown resource before ${segment}`);
    return [{ name: segment.slice(1), ...resource }];
  });
}

/** The names of the parameters in a path. */
export type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
