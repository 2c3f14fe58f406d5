import type { Problem } from "@gantry/protocol";
import type { Probe, ProbeTools, Ran } from "../contract.ts";

/** What becomes of an agent whose program lacks the main channel. */
export type Fallback = {
  /** The argument without which there is no main channel. */
  argument: string;
  /** Arguments that print a help text which names it, where that is not `--help`. */
  help?: readonly string[];
} & (
  | {
      /** The channel to take in its place. */
      channel: string;
      /** What sessions are like over it. */
      means: string;
    }
  /** Why none of the others can be taken. */
  | { none: string }
);

/** How people call what is missing, and how they get a version that has it. */
export type Missing = { main: string; install: string };

const REFUSAL =
  /\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|unsupported|undefined|no such|not an? (?:\w+ )?(?:command|option|argument))\b/i;
const HELP_MS = 10_000;

/**
 * Does the program lack the main channel? Asked only after a greeting over it got no answer, `ran` being how that
 * went: the program says so itself, or its help does not know the argument. A program that is only slow, or fails for
 * another reason, does not lack it.
 */
export async function lacksChannel(tools: ProbeTools, { argument, help }: Fallback, ran: Ran): Promise<boolean> {
  if (ran.failed) return false;
  const ended = ran.code !== null && ran.code !== 0;
  if (ended && refuses(`${ran.stderr}\n${ran.stdout}`, argument)) return true;
  const { stdout, stderr } = await tools.run([...(help ?? ["--help"])], { timeoutMs: HELP_MS });
  const text = `${stdout}\n${stderr}`;
  return /\S/.test(text) && !mentions(text, argument);
}

/** What a probe says of a program without the main channel. */
export function fallenBack(missing: Missing, fallback: Fallback): Pick<Probe, "auth" | "problems" | "ok" | "channel"> {
  const fix = `Update it: \`${missing.install}\`.`;
  const problem = (rest: string): Problem => ({
    code: "main_channel_missing",
    message: `This version has no ${missing.main}${rest}.`,
    fix,
  });
  if ("none" in fallback) {
    const auth = { state: "unknown", how: "there is no way to talk with it" } as const;
    return { auth, problems: [problem(`, and ${fallback.none}`)], ok: false };
  }
  const auth = { state: "unknown", how: "without its main channel it tells only in use" } as const;
  const problems = [problem(`: sessions run over ${fallback.means}`)];
  return { auth, problems, ok: true, channel: fallback.channel };
}

/**
 * For `channelOf`: versions from this one on were seen to have the channel. Of others nothing is known, and pre-releases
 * count as their release.
 */
export function knownSince(since: string, channel: string): (version: string) => string | undefined {
  const first = numbers(since);
  return (version) => {
    const these = numbers(version);
    const differing = first.findIndex((number, index) => number !== (these[index] ?? 0));
    const older = differing >= 0 && (these[differing] ?? 0) < (first[differing] ?? 0);
    return these.length === 0 || older ? undefined : channel;
  };
}

function refuses(text: string, argument: string): boolean {
  const bare = argument.replace(/^-+/, "");
  return text.split("\n").some((line) => REFUSAL.test(line) && mentions(line, bare));
}

/** As a word of its own: `--acp` is not in `--acp-port`, nor `acp` in `acpx`. */
function mentions(text: string, argument: string): boolean {
  const escaped = argument.replace(/[^\w-]/g, "\\$&");
  const before = argument.startsWith("-") ? "(?<![\\w-])" : "(?<!\\w)";
  return new RegExp(`${before}${escaped}(?![\\w-])`).test(text);
}

function numbers(version: string): number[] {
  return /\d+(?:\.\d+)*/.exec(version)?.[0].split(".").map(Number) ?? [];
}
