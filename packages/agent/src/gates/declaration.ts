import { z } from "zod";
import type { Action } from "../permissions/action.ts";

const METRICS = ["max_tokens", "max_tool_calls", "max_wall_time_ms", "max_cost_usd"] as const;

/** The action classes that a declaration can allow. The last four are Gantry's additions for the model's tools. */
export const ACTION_CLASSES = [
  "command.prompt",
  "command.control",
  "command.bash",
  "command.export",
  "command.session",
  "command.model",
  "command.message_read",
  "command.host_tools",
  "command.host_uri",
  "command.admin",
  "bash.readonly",
  "bash.mutating",
  "bash.destructive",
  "git.force_push",
  "file.delete",
  "file.write",
  "host_tool.invoke",
  "host_uri.read",
  "host_uri.write",
  "auth.login",
  "code.run",
  "net.fetch",
  "mcp.call",
  "agent.spawn",
] as const;
export type ActionClass = (typeof ACTION_CLASSES)[number];

const shape = z.object({
  actor: z.string().min(1),
  budget: z.record(z.string(), z.unknown()),
  scopes: z.array(z.string()),
  action_allowlist: z.array(z.string()),
});

export type Budget = Record<(typeof METRICS)[number], number>;
export type Declaration = { actor: string; budget: Budget; scopes: string[]; action_allowlist: string[] };
export type Refusal = { code: string; message: string } & Record<string, unknown>;

/** Validates a declaration. Every field is required and checked; otherwise unattended mode is refused. */
export function readDeclaration(
  raw: unknown,
  scopes: readonly string[],
): { declaration: Declaration } | { refusal: Refusal } {
  const refuse = (code: string, message: string, more: object = {}) => ({ refusal: { code, message, ...more } });
  const read = shape.safeParse(raw);
  if (!read.success) {
    const [issue] = read.error.issues;
    const where = issue?.path.join(".") || "declaration";
    return refuse("invalid_unattended_declaration", `${where}: ${issue?.message ?? "is not valid"}`);
  }
  const { budget, ...rest } = read.data;
  const unknown = Object.keys(budget).find((name) => !METRICS.includes(name as (typeof METRICS)[number]));
  if (unknown !== undefined)
    return refuse("unsupported_budget_metric", `no such metric: ${unknown}`, { metric: unknown });
  const missing = METRICS.filter((name) => !isLimit(budget[name]));
  if (missing.length > 0) {
    return refuse("incomplete_budget", `needs a number above 0 for ${missing.join(", ")}`, { missing });
  }
  const scope = rest.scopes.find((name) => !scopes.includes(name));
  if (scope !== undefined) return refuse("invalid_unattended_declaration", `no such scope: ${scope}`);
  const action = rest.action_allowlist.find((name) => !(ACTION_CLASSES as readonly string[]).includes(name));
  if (action !== undefined) return refuse("invalid_unattended_declaration", `no such action class: ${action}`);
  return { declaration: { ...rest, budget: budget as Budget } };
}

/** Why the second declaration would allow more than the first; `undefined` when it only narrows. */
export function findWidening(before: Declaration, after: Declaration): string | undefined {
  const metric = METRICS.find((name) => after.budget[name] > before.budget[name]);
  if (metric) return `${metric} may only become smaller`;
  const scope = after.scopes.find((name) => !before.scopes.includes(name));
  if (scope !== undefined) return `the scope ${scope} was not granted before`;
  const action = after.action_allowlist.find((name) => !before.action_allowlist.includes(name));
  if (action !== undefined) return `the action ${action} was not granted before`;
  if (after.actor !== before.actor) return "the actor may not change";
  return undefined;
}

/** The class that must be allowed for an action; `undefined` for actions without side effects. */
export function classOf(action: Action): ActionClass | undefined {
  if (action.kind === "inner" || action.kind === "file.read") return undefined;
  return action.kind;
}

function isLimit(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value > 0;
}
