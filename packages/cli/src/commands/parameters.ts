import type { Context } from "../program/context.ts";

type Docs = { brief: string; fullDescription: string; customUsage?: string[] };

/** Help of a command: one line for lists, optional details, and examples that run unchanged. */
export function docs(brief: string, options: { more?: string; examples: string[]; usage?: string }): Docs {
  const examples = options.examples.map((example) => `  ${example}`).join("\n");
  return {
    brief,
    fullDescription: [`${brief}.`, options.more, `EXAMPLES\n${examples}`].filter(Boolean).join("\n\n"),
    ...(options.usage === undefined ? {} : { customUsage: [options.usage] }),
  };
}

/** A switch that is off unless it is given. */
export function toggle(brief: string) {
  return { kind: "boolean", brief, default: false, withNegated: false } as const;
}

/** An optional flag with a text. */
export function textFlag(brief: string, placeholder: string) {
  return { kind: "parsed", brief, placeholder, optional: true, parse: String } as const;
}

/** An optional flag with a number that is not negative. */
export function numberFlag(brief: string, placeholder: string) {
  return { kind: "parsed", brief, placeholder, optional: true, parse: wholeNumber } as const;
}

export function wholeNumber(input: string): number {
  if (!/^\d+$/.test(input)) throw new SyntaxError(`${input} is not a whole number`);
  return Number(input);
}

function seconds(input: string): number {
  const value = Number(input);
  if (!(value > 0)) throw new SyntaxError(`${input} is not a number of seconds`);
  return value;
}

export const timeoutFlag = {
  kind: "parsed",
  brief: "Time limit in seconds",
  placeholder: "s",
  optional: true,
  parse: seconds,
} as const;

/** `default`: without the configured default. */
export const modeFlag = (brief: string) =>
  ({ kind: "enum", values: [...MODES, "default"], brief, optional: true }) as const;

export const MODES = ["plan", "ask", "auto-edit", "full-auto", "inherit"] as const;

/** Native controls of an agent. `--fast on` is `--control fast=on`. */
export const controlFlags = {
  control: {
    kind: "parsed",
    brief: "Native control of the agent: see `gantry agents --json` (can be repeated)",
    placeholder: "control=choice",
    parse: String,
    optional: true,
    variadic: true,
  },
  fast: { kind: "enum", values: ["on", "off"], brief: "Faster service tier, if the agent has one", optional: true },
} as const;

export const folderFlag = (brief: string) =>
  ({ kind: "parsed", brief, placeholder: "folder", parse: String, optional: true, variadic: true }) as const;

export const attachFlag = {
  kind: "parsed",
  brief: "File or image to attach (can be repeated)",
  placeholder: "file",
  parse: String,
  optional: true,
  variadic: true,
} as const;

/** A session by id, part of one, `last`, or a piece of its title. */
export const sessionParameter = {
  brief: "Session: id or part of it, `last`, or part of its title",
  placeholder: "session",
  parse: String,
  proposeCompletions: proposeSessions,
} as const;

export const inputParameter = {
  brief: "Pending request: id or part of it, `last`, or the waiting session",
  placeholder: "input",
  parse: String,
  proposeCompletions: proposeInputs,
} as const;

export async function proposeSessions(this: Context, partial: string): Promise<readonly string[]> {
  const { sessionNames } = await import("./completion/names.ts");
  return sessionNames(this, partial);
}

async function proposeInputs(this: Context, partial: string): Promise<readonly string[]> {
  const { inputNames } = await import("./completion/names.ts");
  return inputNames(this, partial);
}

export async function proposeAgents(this: Context, partial: string): Promise<readonly string[]> {
  const { agentNames } = await import("./completion/names.ts");
  return agentNames(this, partial);
}

export async function proposeLaunches(this: Context, partial: string): Promise<readonly string[]> {
  const { launchNames } = await import("./completion/names.ts");
  return launchNames(this, partial);
}

export async function proposeLanes(this: Context, partial: string): Promise<readonly string[]> {
  const { laneNames } = await import("./completion/names.ts");
  return laneNames(this, partial);
}

export async function proposeServers(this: Context, partial: string): Promise<readonly string[]> {
  const { serverNames } = await import("./completion/names.ts");
  return serverNames(this, partial);
}

export async function proposeIdentities(this: Context, partial: string): Promise<readonly string[]> {
  const { identityNames } = await import("./completion/names.ts");
  return identityNames(this, partial);
}

export async function proposeSkills(this: Context, partial: string): Promise<readonly string[]> {
  const { skillNames } = await import("./completion/names.ts");
  return skillNames(this, partial);
}

export async function proposeSchedules(this: Context, partial: string): Promise<readonly string[]> {
  const { scheduleNames } = await import("./completion/names.ts");
  return scheduleNames(this, partial);
}
