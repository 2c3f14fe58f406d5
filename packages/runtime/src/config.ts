import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AgentId, Defaults, issuesOf, type Mistake, ModelId, PushConfig } from "@gantry/protocol";
import type { Document } from "yaml";
import { z } from "zod";

/** Loaded on demand: most homes have no file to parse, and loading the parser would double the start time. */
const yaml = () => createRequire(import.meta.url)("yaml") as typeof import("yaml");

/** Each schema is used once, so compiling it would take longer than interpreting it. */
const ONCE = { jitless: true };

const seconds = z.number().positive().max(604_800);

/** Hands a session that waits for a limit to another agent: immediately, or after a number of minutes. */
const Rule = z.strictObject({
  from: AgentId,
  to: AgentId,
  model: z.string().optional(),
  after: z.union([z.literal("reached"), z.number().min(0).max(10_080)]).default("reached"),
});

/** `GANTRY_HOME/config.yml`. Everything has a default; unknown keys are errors with their line. */
export const Config = z.strictObject({
  defaults: Defaults.prefault({}),
  deadlines: z
    .strictObject({
      handshakeSeconds: seconds
        .default(60)
        .describe("Time for each step of opening a conversation, from the start of the agent process."),
      resumeSeconds: seconds
        .default(120)
        .describe("Time for the step that resumes an earlier conversation. Some agents load its whole history."),
      loginSeconds: seconds
        .default(600)
        .describe("Time from choosing a login until the conversation is open. Includes steps in a browser."),
      firstOutputSeconds: seconds.default(300).describe("Time from sending a prompt to the first output."),
      silenceSeconds: seconds
        .default(300)
        .describe("Time without output before a turn counts as stalled, while no tool runs and no input is pending."),
      retrySeconds: seconds.default(180).describe("How long an agent may retry a request before the turn fails."),
      turnSeconds: seconds
        .default(7200)
        .describe("Time for a whole turn, without the time spent waiting for a person."),
      interruptSeconds: seconds
        .default(10)
        .describe("Time from an interrupt to the end of the turn. After it the process is stopped."),
      lostOutputSeconds: seconds
        .default(20)
        .describe(
          "After output of the agent was lost (a full disk, a truncated file): time without output before the turn fails.",
        ),
      stopSeconds: seconds.default(3).describe("Grace period between the signals that stop an unresponsive agent."),
    })
    .prefault({}),
  idleSeconds: seconds
    .default(300)
    .describe("The process of an idle session is released after this time. The next message resumes it."),
  processes: z
    .strictObject({
      max: z
        .number()
        .int()
        .min(1)
        .max(1000)
        .default(20)
        .describe(
          "How many agent processes may run. Above it, the one that was idle longest is released; working agents never are.",
        ),
      warmUp: z
        .boolean()
        .default(false)
        .describe("Start the agent's process when a session is opened, before the first message."),
      idleSeconds: z
        .record(AgentId, seconds)
        .default({})
        .describe("By agent: time after which its idle process is released, instead of the general time."),
    })
    .prefault({}),
  limits: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe("After a provider's rate limit, start no turn of the same account until the limit ends."),
      autoResume: z.boolean().default(true).describe("Resume waiting sessions automatically when the limit ends."),
      goOn: z
        .boolean()
        .default(false)
        .describe('When a limit that interrupted a turn ends, send "Continue." automatically.'),
      retrySeconds: seconds.default(30).describe("How long an agent may retry against a limit before its turn fails."),
      backoffSeconds: z
        .array(seconds)
        .min(1)
        .max(20)
        .default([60, 120, 300, 900, 1800, 3600])
        .describe("Delays between tries when the end of a limit is unknown. The last one repeats."),
      overloadSeconds: z
        .array(seconds)
        .min(1)
        .max(20)
        .default([10, 20, 40, 60, 120, 300])
        .describe("Delays between tries while a provider is overloaded. The last one repeats."),
      jitterSeconds: z
        .number()
        .min(0)
        .max(600)
        .default(5)
        .describe("Largest random delay after the known end of a limit."),
      staggerSeconds: z
        .number()
        .min(0)
        .max(600)
        .default(2)
        .describe("Delay between two sessions that resume after a limit."),
      handoff: z
        .array(Rule)
        .max(50)
        .default([])
        .describe("Continue with another agent instead of waiting: from, to, and after how many minutes."),
    })
    .prefault({}),
  budgets: z
    .strictObject({
      dayUsd: z.number().positive().optional().describe("What all sessions together may cost per day (local time)."),
      sessionUsd: z.number().positive().optional().describe("What a session without a separate budget may cost."),
    })
    .prefault({}),
  prompt: z
    .strictObject({
      instructions: z.string().max(100_000).optional().describe("Instructions that start every conversation."),
      hints: z
        .enum(["auto", "always", "never"])
        .default("auto")
        .describe("Send agents their folder and its files. auto: only agents that do not look them up."),
    })
    .prefault({}),
  scribe: z
    .strictObject({
      agent: AgentId.optional().describe(
        "The agent that writes titles, summaries, lane names and briefs. Without one, a cheap model is chosen: of the session's agent, or of a stored key.",
      ),
      model: ModelId.optional().describe("The model for these texts. Default: the agent's default model."),
      seconds: seconds.default(60).describe("How long one text may take."),
    })
    .prefault({}),
  titles: z
    .strictObject({
      model: z.boolean().default(true).describe("Let a cheap model write titles and lane names."),
    })
    .prefault({}),
  summaries: z
    .strictObject({
      model: z.boolean().default(false).describe("Let a cheap model write a summary after every turn."),
    })
    .prefault({}),
  handoff: z
    .strictObject({
      briefChars: z
        .number()
        .int()
        .min(2000)
        .max(500_000)
        .default(24_000)
        .describe("Largest brief about the earlier work that the next agent gets."),
      summary: z.boolean().default(false).describe("Let a cheap model add a summary to a brief."),
    })
    .prefault({}),
  switching: z
    .enum(["same-family", "any"])
    .default("same-family")
    .describe("When only another agent offers the chosen model: suggest a handoff, or (any) hand the session over."),
  queueLimit: z.number().int().min(1).max(1000).default(10).describe("How many messages a session may have queued."),
  lineLimitMb: z
    .number()
    .min(0.001)
    .max(512)
    .default(16)
    .describe("Longer lines of an agent's output are dropped with an error."),
  schedules: z
    .strictObject({
      catchUp: z
        .enum(["once", "skip"])
        .default("once")
        .describe("Runs that were missed while the daemon was stopped: run once for all of them, or skip them."),
    })
    .prefault({}),
  checkpoints: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Save the files of the work tree before and after every turn."),
      seconds: seconds
        .default(10)
        .describe("How long a prompt waits for the checkpoint. After that the turn starts without one."),
      fileMb: z
        .number()
        .positive()
        .max(2000)
        .default(50)
        .describe("Larger files are left out of checkpoints and listed in a notice."),
      untrackedFiles: z
        .number()
        .int()
        .min(1)
        .max(10_000_000)
        .default(20_000)
        .describe("No checkpoints in folders with more untracked files than this."),
      days: z.number().positive().default(30).describe("How long checkpoints of old turns are stored."),
      keep: z
        .number()
        .int()
        .min(0)
        .default(20)
        .describe("Number of newest turns of a session whose checkpoints do not expire."),
    })
    .prefault({}),
  spawns: z
    .strictObject({
      depth: z
        .number()
        .int()
        .min(0)
        .max(10)
        .default(3)
        .describe("How many levels of sessions agents may start below a person's session. 0: none."),
      live: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(8)
        .describe("How many sessions started from the same root session may run at once."),
      tell: z.boolean().default(false).describe("Include a hint about starting sessions in every conversation."), // prose-ignore: config key
    })
    .prefault({}),
  mcp: z
    .strictObject({
      offer: z
        .enum(["off", "leads", "all"])
        .default("off")
        .describe(
          "Which agents get the MCP server gantry, with which they start and direct sessions within their rights: none, those of leads, or all. Takes effect when an agent starts.",
        ),
    })
    .prefault({}),
  push: PushConfig.prefault({}),
  retention: z
    .strictObject({
      spoolDays: z
        .number()
        .positive()
        .default(14)
        .describe(
          "How long raw recordings of ended processes are stored. Logs and blobs are deleted with their session.",
        ),
      spoolMb: z
        .number()
        .positive()
        .default(2048)
        .describe("Largest size of these recordings. The oldest are deleted first."),
    })
    .prefault({}),
  lanes: z
    .strictObject({
      folder: z
        .string()
        .min(1)
        .refine((path) => path.startsWith("/"), "must be an absolute path")
        .optional()
        .describe("Folder for the work trees of lanes. Default: `lanes` in the home folder."),
      branchPrefix: z
        .string()
        .max(100)
        .regex(
          /^([A-Za-z0-9][A-Za-z0-9_-]*[/-])*$/,
          "must be like `gantry/`: letters and digits, with / or - at the end",
        )
        .default("gantry/")
        .describe("Prefix of the branch names of lanes."),
      firstPort: z
        .number()
        .int()
        .min(1024)
        .max(65_000)
        .default(41_000)
        .describe("The first port that is assigned to lanes."),
      ports: z.number().int().min(1).max(1000).default(10).describe("How many ports a lane gets."),
      setupSeconds: seconds.default(600).describe("How long the set-up command of a lane may run."),
      idleDays: z.number().positive().default(14).describe("A lane untouched for longer is suggested for removal."),
    })
    .prefault({}),
  server: z
    .strictObject({
      hosts: z
        .array(z.string())
        .default([])
        .describe("Additional host names of the daemon, such as the host of a tunnel."),
      origins: z.array(z.string()).default([]).describe("Additional origins whose pages may call the daemon."),
      bodyMb: z.number().positive().max(256).default(20).describe("Largest accepted request."),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

/** Gantry's data folder: `GANTRY_HOME`, or `~/.gantry`. */
export function gantryHome(env: Record<string, string | undefined> = process.env): string {
  return env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), ".gantry");
}

/** A mistake in a configuration file, with file and line. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly mistakes: Mistake[];

  constructor(message: string, mistakes: Mistake[] = [{ line: 1, message }]) {
    super(message);
    this.mistakes = mistakes;
  }
}

export function defaultConfig(): Config {
  return Config.parse({}, ONCE);
}

/** Reads `config.yml` of the home folder; an absent file is all defaults. Throws `ConfigError`. */
export function loadConfig(home: string): Config {
  const path = join(home, "config.yml");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return defaultConfig();
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
  return parseYaml(path, text, Config);
}

/** More than a person writes, fewer than an alias bomb needs. */
const MAX_ALIASES = 100;

/** Parses a YAML file strictly; every error names its line. Throws `ConfigError`. */
export function parseYaml<T extends z.ZodType>(path: string, text: string, schema: T): z.output<T> {
  const document = yaml().parseDocument(text, { prettyErrors: true });
  const broken = document.errors[0];
  if (broken) {
    const [first = ""] = broken.message.split("\n");
    const mistake = { line: broken.linePos?.[0].line ?? 1, message: first.replace(/ at line \d+, column \d+:?$/, "") };
    throw new ConfigError(`${path}: ${broken.message}`, [mistake]);
  }
  const parsed = schema.safeParse(expandAliases(path, document, text) ?? {}, ONCE);
  if (parsed.success) return parsed.data;
  const mistakes = issuesOf(parsed.error).flatMap((issue) => {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    return unknown.map((key) => {
      const keys = key === undefined ? issue.path : [...issue.path, key];
      const problem = key === undefined ? issue.message : "Unrecognized key";
      return { line: lineOf(document, keys, text), message: `${keys.join(".") || "the file"}: ${problem}` };
    });
  });
  mistakes.sort((a, b) => a.line - b.line);
  throw new ConfigError(mistakes.map(({ line, message }) => `${path}:${line}: ${message}`).join("\n"), mistakes);
}

/** The document's value. Throws `ConfigError` for aliases that expand to too much or name nothing. */
function expandAliases(path: string, document: Document, text: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    let offset = 0;
    yaml().visit(document, {
      Alias: (_, { range }) => {
        offset = range?.[0] ?? 0;
        return yaml().visit.BREAK;
      },
    });
    const line = text.slice(0, offset).split("\n").length;
    const message = (error as Error).message.replace(/^Excessive alias count.*/, "Too many aliases");
    throw new ConfigError(`${path}:${line}: ${message}`, [{ line, message }]);
  }
}

/** The line of a key or an entry; for a missing one, the line of its parent. */
function lineOf(document: Document, keys: readonly PropertyKey[], text: string): number {
  const { isMap, isScalar } = yaml();
  const parent = keys.length > 1 ? document.getIn(keys.slice(0, -1), true) : document.contents;
  const pair = isMap(parent)
    ? parent.items.find((item) => isScalar(item.key) && item.key.value === keys.at(-1))
    : undefined;
  const node = pair ? pair.key : (document.getIn(keys, true) ?? parent);
  const at = (node as { range?: [number, number, number] } | null)?.range?.[0];
  return text.slice(0, at ?? 0).split("\n").length;
}
