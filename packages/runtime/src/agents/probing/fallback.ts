import type { Problem } from "@gantry/protocol";
import type { BriefResult, Probe, ProbeTools } from "../contract.ts";

/** What to do with a program that lacks the main channel. */
export type Fallback = {
  /** The argument that starts the main channel. */
  argument: string;
  /** Arguments that print the help text which lists `argument`; `--help` by default. */
  help?: readonly string[];
} & (
  | {
      /** The channel to use instead. */
      channel: string;
      /** How sessions differ on that channel, for the user. */
      means: string;
    }
  /** Why no other channel can be used. */
  | { none: string }
);

/** The user-facing name of the missing channel, and how to install a version that has it. */
export type MissingChannel = { main: string; install: string };

const REFUSAL =
  /\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|unsupported|undefined|no such|not an? (?:\w+ )?(?:command|option|argument))\b/i;
const HELP_MS = 10_000;

/**
 * Whether the program lacks the main channel. Called only after a handshake over it got no reply; `ran` is the result
 * of that attempt. True if the program rejected the argument, or if its help text does not list it. A slow program, or
 * one that failed for another reason, does not count.
 */
export async function lacksChannel(
  tools: ProbeTools,
  { argument, help }: Fallback,
  ran: BriefResult,
): Promise<boolean> {
  if (ran.failed) return false;
  const ended = ran.code !== null && ran.code !== 0;
  if (ended && refuses(`${ran.stderr}\n${ran.stdout}`, argument)) return true;
  const { stdout, stderr } = await tools.run([...(help ?? ["--help"])], { timeoutMs: HELP_MS });
  const text = `${stdout}\n${stderr}`;
  return /\S/.test(text) && !mentions(text, argument);
}

/** The probe result of a program without the main channel. */
export function fallbackProbe(
  missing: MissingChannel,
  fallback: Fallback,
): Pick<Probe, "auth" | "problems" | "ok" | "channel"> {
  const fix = `Update it: \`${missing.install}\`.`;
  const problem = (rest: string): Problem => ({
    code: "main_channel_missing",
    message: `This version has no ${missing.main}${rest}.`,
    fix,
  });
  if ("none" in fallback) {
    const auth = { state: "unknown", how: "it has no usable channel" } as const;
    return { auth, problems: [problem(`, and ${fallback.none}`)], ok: false };
  }
  const auth = { state: "unknown", how: "reported only in use without the main channel" } as const;
  const problems = [problem(`: sessions run over ${fallback.means}`)];
  return { auth, problems, ok: true, channel: fallback.channel };
}

/**
 * For `channelOf`: versions from `since` on are known to have the channel, earlier ones are unknown. Pre-releases count
 * as their release.
 */
export function knownSince(since: string, channel: string): (version: string) => string | undefined {
  return (version) => (isAtLeast(version, since) ? channel : undefined);
}

/** Whether the text names this version or a later one. Pre-releases count as their release. */
export function isAtLeast(version: string, since: string): boolean {
  const first = numbers(since);
  const these = numbers(version);
  const differing = first.findIndex((number, index) => number !== (these[index] ?? 0));
  const older = differing >= 0 && (these[differing] ?? 0) < (first[differing] ?? 0);
  return these.length > 0 && !older;
}

function refuses(text: string, argument: string): boolean {
  const bare = argument.replace(/^-+/, "");
  return text.split("\n").some((line) => REFUSAL.test(line) && mentions(line, bare));
}

/** Matches whole arguments: `--acp` does not match `--acp-port`, nor `acp` `acpx`. */
function mentions(text: string, argument: string): boolean {
  const escaped = argument.replace(/[^\w-]/g, "\\$&");
  const before = argument.startsWith("-") ? "(?<![\\w-])" : "(?<!\\w)";
  return new RegExp(`${before}${escaped}(?![\\w-])`).test(text);
}

function numbers(version: string): number[] {
  return /\d+(?:\.\d+)*/.exec(version)?.[0].split(".").map(Number) ?? [];
}

/** `smallModels` of agents that serve many providers. */
export const SMALL_MODELS = ["*haiku*", "*-luna", "*-flash-lite", "*-nano", "*-mini", "*-flash"];
