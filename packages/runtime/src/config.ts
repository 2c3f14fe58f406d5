import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { AgentId, issuesOf, type Mistake, ModelId } from "@gantry/protocol";
import type { Document } from "yaml";
import { z } from "zod";

/** Most homes have no file to parse, and the parser takes longer to load than the daemon has to start. */
const yaml = () => createRequire(import.meta.url)("yaml") as typeof import("yaml");

/** A file is read once: to compile its check first, as Zod does, takes longer than the check. */
const ONCE = { jitless: true };

const seconds = z.number().positive().max(604_800);

/** Whom a session is handed to that waits for a limit: at once, or when it has waited so many minutes. */
const Rule = z.strictObject({
  from: AgentId,
  to: AgentId,
  model: z.string().optional(),
  after: z.union([z.literal("reached"), z.number().min(0).max(10_080)]).default("reached"),
});

/** `GANTRY_HOME/config.yml`. Everything has a default; unknown keys are errors with their line. */
export const Config = z.strictObject({
  deadlines: z
    .strictObject({
      handshakeSeconds: seconds.default(60).describe("From the start of a process to the open conversation."),
      loginSeconds: seconds
        .default(600)
        .describe("From the choice of a login to the open conversation: a person may have to go through a browser."),
      firstOutputSeconds: seconds.default(300).describe("From a prompt to the first sign of work."),
      silenceSeconds: seconds
        .default(300)
        .describe("Silence in a turn, while nothing is asked and no tool runs, before it counts as stalled."),
      retrySeconds: seconds.default(180).describe("How long an agent may go on retrying a request by itself."),
      turnSeconds: seconds.default(7200).describe("A whole turn, without the time it waits for a person."),
      interruptSeconds: seconds
        .default(10)
        .describe("From an interrupt to the end of the turn, before the process is stopped."),
      stopSeconds: seconds
        .default(3)
        .describe("How long an agent that answers nothing gets between the steps of being stopped."),
    })
    .prefault({}),
  idleSeconds: seconds
    .default(300)
    .describe("An idle session's process is released after this, and comes back by resuming."),
  limits: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe("After a provider's refusal, start no turn of the same account until it is over."),
      autoResume: z.boolean().default(true).describe("Sessions that wait for a limit go on by themselves."),
      goOn: z
        .boolean()
        .default(false)
        .describe('After a limit cut a turn off, send "Continue." when the limit has ended.'),
      retrySeconds: seconds.default(30).describe("How long an agent may go on retrying by itself against a limit."),
      backoffSeconds: z
        .array(seconds)
        .min(1)
        .max(20)
        .default([60, 120, 300, 900, 1800, 3600])
        .describe("When to try again where nobody says when a limit ends, one after the other; the last one repeats."),
      jitterSeconds: z.number().min(0).max(600).default(5).describe("At most so long after a known end it is tried."),
      staggerSeconds: z
        .number()
        .min(0)
        .max(600)
        .default(2)
        .describe("Between one session and the next when a limit is over."),
      handoff: z
        .array(Rule)
        .max(50)
        .default([])
        .describe("Go on with another agent instead: from, to, and after how many minutes."),
    })
    .prefault({}),
  budgets: z
    .strictObject({
      dayUsd: z
        .number()
        .positive()
        .optional()
        .describe("What all sessions together may cost in a day of this machine."),
      sessionUsd: z.number().positive().optional().describe("What a session may cost that has no budget of its own."),
    })
    .prefault({}),
  prompt: z
    .strictObject({
      instructions: z.string().max(100_000).optional().describe("Stands before every conversation."),
      hints: z
        .enum(["auto", "always", "never"])
        .default("auto")
        .describe("Tell agents where they work and which files are there; auto: those that do not look by themselves."),
    })
    .prefault({}),
  scribe: z
    .strictObject({
      agent: AgentId.optional().describe(
        "The agent that is asked for better titles, summaries, names of lanes and briefs. Without one nobody is asked, and nothing is spent.",
      ),
      model: ModelId.optional().describe("Its model for that; without one, the agent's own choice."),
      seconds: seconds.default(60).describe("How long it may take for one text."),
    })
    .prefault({}),
  titles: z
    .strictObject({
      model: z.boolean().default(true).describe("Let the scribe, where there is one, write titles and names of lanes."),
    })
    .prefault({}),
  summaries: z
    .strictObject({
      model: z
        .boolean()
        .default(false)
        .describe("Let the scribe, where there is one, write summaries. It is asked after every turn."),
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
        .describe("How long a brief may be that an agent is told of what was done before it."),
      summary: z
        .boolean()
        .default(false)
        .describe("Let the scribe, where there is one, write a summary on top of a brief."),
    })
    .prefault({}),
  switching: z
    .enum(["same-family", "any"])
    .default("same-family")
    .describe(
      "A model that only another agent offers: name the handoff that it takes, or (any) hand the session over.",
    ),
  queueLimit: z.number().int().min(1).max(1000).default(10).describe("How many messages may wait in a session."),
  lineLimitMb: z
    .number()
    .min(0.001)
    .max(512)
    .default(16)
    .describe("A longer line of an agent is left out, with an error."),
  schedules: z
    .strictObject({
      catchUp: z
        .enum(["once", "skip"])
        .default("once")
        .describe("What becomes of times that passed while the daemon was not there: one run for all, or none."),
    })
    .prefault({}),
  checkpoints: z
    .strictObject({
      enabled: z.boolean().default(true).describe("Keep the work tree as it is before and after every turn."),
      seconds: seconds
        .default(10)
        .describe("How long a prompt waits for the work tree to be kept; then the turn goes on without."),
      fileMb: z.number().positive().max(2000).default(50).describe("Larger files are left out, with a word."),
      untrackedFiles: z
        .number()
        .int()
        .min(1)
        .max(10_000_000)
        .default(20_000)
        .describe("With more files that git neither has nor ignores, no checkpoints are made in that folder."),
      days: z.number().positive().default(30).describe("How long checkpoints of old turns are kept."),
      keep: z.number().int().min(0).default(20).describe("So many of a session's newest turns keep theirs for longer."),
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
        .describe("How far below a person's session agents may begin further ones; 0: not at all."),
      live: z
        .number()
        .int()
        .min(1)
        .max(100)
        .default(8)
        .describe("How many sessions that go back to the same one may be at work at once."),
      tell: z.boolean().default(false).describe("Tell every agent that it can begin sessions, and how."),
    })
    .prefault({}),
  retention: z
    .strictObject({
      spoolDays: z
        .number()
        .positive()
        .default(14)
        .describe("How long raw recordings of finished processes are kept. Logs and blobs stay with their session."),
      spoolMb: z.number().positive().default(2048).describe("How much room these recordings may take; the oldest go."),
    })
    .prefault({}),
  lanes: z
    .strictObject({
      folder: z
        .string()
        .min(1)
        .refine((path) => path.startsWith("/"), "must be an absolute path")
        .optional()
        .describe("Where the worktrees of lanes are made. Left out: `lanes` in the home folder."),
      branchPrefix: z
        .string()
        .max(100)
        .regex(
          /^([A-Za-z0-9][A-Za-z0-9_-]*[/-])*$/,
          "must be like `gantry/`: letters and digits, with / or - at the end",
        )
        .default("gantry/")
        .describe("What the names of the branches of lanes begin with."),
      firstPort: z
        .number()
        .int()
        .min(1024)
        .max(65_000)
        .default(41_000)
        .describe("From here on every lane gets ports of its own."),
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
        .describe("Further names under which the daemon may be reached, such as a host behind a tunnel."),
      origins: z.array(z.string()).default([]).describe("Further origins whose pages may call the daemon."),
      bodyMb: z.number().positive().max(256).default(20).describe("The largest request that is taken."),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;

/** The folder that holds everything: `GANTRY_HOME`, or `~/.gantry`. */
export function gantryHome(env: Record<string, string | undefined> = process.env): string {
  return env.GANTRY_HOME ? resolve(env.GANTRY_HOME) : join(homedir(), ".gantry");
}

/** A mistake in a file that a person wrote, told with file and line. */
export class ConfigError extends Error {
  override name = "ConfigError";
  readonly mistakes: Mistake[];

  constructor(message: string, mistakes: Mistake[] = [{ line: 1, message }]) {
    super(message);
    this.mistakes = mistakes;
  }
}

/** Reads `config.yml` of the home folder; an absent file is all defaults. Throws `ConfigError`. */
export function loadConfig(home: string): Config {
  const path = join(home, "config.yml");
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Config.parse({}, ONCE);
    throw new ConfigError(`${path} cannot be read: ${(error as Error).message}`);
  }
  return parseYaml(path, text, Config);
}

/** Parses a YAML file strictly; every complaint names its line. Throws `ConfigError`. */
export function parseYaml<T extends z.ZodType>(path: string, text: string, schema: T): z.output<T> {
  const document = yaml().parseDocument(text, { prettyErrors: true });
  const broken = document.errors[0];
  if (broken) {
    const [first = ""] = broken.message.split("\n");
    const mistake = { line: broken.linePos?.[0].line ?? 1, message: first.replace(/ at line \d+, column \d+:?$/, "") };
    throw new ConfigError(`${path}: ${broken.message}`, [mistake]);
  }
  const parsed = schema.safeParse(document.toJS() ?? {}, ONCE);
  if (parsed.success) return parsed.data;
  const mistakes = issuesOf(parsed.error).flatMap((issue) => {
    const unknown = issue.code === "unrecognized_keys" ? issue.keys : [undefined];
    return unknown.map((key) => {
      const keys = key === undefined ? issue.path : [...issue.path, key];
      const says = key === undefined ? issue.message : "Unrecognized key";
      return { line: lineOf(document, keys, text), message: `${keys.join(".") || "the file"}: ${says}` };
    });
  });
  mistakes.sort((a, b) => a.line - b.line);
  throw new ConfigError(mistakes.map(({ line, message }) => `${path}:${line}: ${message}`).join("\n"), mistakes);
}

/** The line of a key or an entry; of what should hold it when it is not there. */
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
