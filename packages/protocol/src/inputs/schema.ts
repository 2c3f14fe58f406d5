import { z } from "zod";
import { Offer } from "../agents/offer.ts";
import { FileChange } from "../files/schema.ts";
import { InputId, ItemId, SessionId, TurnId } from "../ids/schema.ts";
import { Mode } from "../modes/schema.ts";

export const InputKind = z.enum(["approval", "question", "plan", "permissions", "elicitation", "login"]);

export type InputKind = z.infer<typeof InputKind>;

export const OptionEffect = z.enum(["allow_once", "allow_session", "allow_always", "deny", "deny_and_stop"]);

export const InputOption = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  effect: OptionEffect,
  /** For a plan: the mode of the session after this answer. */
  mode: Mode.optional(),
});

export type InputOption = z.infer<typeof InputOption>;

export const Question = z.object({
  id: z.string(),
  header: z.string().optional(),
  text: z.string(),
  options: z.array(z.object({ label: z.string(), description: z.string().optional() })).default([]),
  multi: z.boolean().default(false),
  /** Whether free text is accepted. */
  freeform: z.boolean().default(true),
  /** The answer is sent to the agent and never stored. */
  secret: z.boolean().default(false),
});

export type Question = z.infer<typeof Question>;

/**
 * What "allow for this session" covers: one tool, limited to commands that start with `prefix`, to the exact `command`, or
 * to paths that match `glob`. Commands and edits are never granted by tool name alone.
 */
export const Scope = z.object({
  tool: z.string(),
  prefix: z.string().optional(),
  command: z.string().optional(),
  glob: z.string().optional(),
  /** A label for a button or a list. */
  label: z.string(),
});

export type Scope = z.infer<typeof Scope>;

/** A request that an agent waits for, in the same form for every agent. */
export const InputRequest = z.object({
  id: InputId,
  session: SessionId,
  turn: TurnId.optional(),
  item: ItemId.optional(),
  kind: InputKind,
  title: z.string(),
  detail: z.string().optional(),
  tool: z
    .object({ name: z.string(), kind: z.string(), input: z.unknown().optional(), command: z.string().optional() })
    .optional(),
  diff: z.array(FileChange).optional(),
  options: z.array(InputOption).default([]),
  questions: z.array(Question).default([]),
  subagent: z.string().optional(),
  /** Whether the turn is blocked until it is answered. */
  blocking: z.boolean().default(true),
  /** When the agent asked. Absent for requests of older logs. */
  requestedAt: z.iso.datetime().optional(),
  expiresAt: z.iso.datetime().optional(),
  scope: Scope.optional(),
  /** For a login: the command to run in a terminal. */
  offer: Offer.optional(),
});

export type InputRequest = z.infer<typeof InputRequest>;

export const Decision = z.enum(["allow", "allow_session", "deny", "cancel"]);

export type Decision = z.infer<typeof Decision>;

/** Answers by question id. */
export const Answers = z.record(z.string(), z.union([z.string(), z.array(z.string())]));

export type Answers = z.infer<typeof Answers>;

export const InputAnswer = z.strictObject({
  decision: Decision,
  /** One of the request's options, if it is more specific than the decision. */
  option: z.string().optional(),
  answers: Answers.optional(),
  /** An edited tool input that replaces the agent's. */
  edits: z.record(z.string(), z.unknown()).optional(),
  /** A message to the agent, for example the reason for a denial. */
  message: z.string().max(20_000).optional(),
});

export type InputAnswer = z.infer<typeof InputAnswer>;

export const Grant = z.object({
  id: z.string(),
  session: SessionId,
  scope: Scope,
  /** The input whose answer created it. */
  input: InputId,
  at: z.iso.datetime(),
});

export type Grant = z.infer<typeof Grant>;

export const GrantList = z.object({ grants: z.array(Grant) });

export const Inbox = z.object({ inputs: z.array(InputRequest) });
