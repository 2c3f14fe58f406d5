import { homedir } from "node:os";
import type { Injection, RuleProblem, RuleSummary, Rules } from "../contract/rules.ts";
import type { UrlHandler } from "../contract/tool.ts";
import { ToolError } from "../contract/tool.ts";
import type { Action } from "../permissions/action.ts";
import { agentDirectory } from "../session-files/paths.ts";
import { type ContextFile, contextFiles, nestedContextFiles } from "./context-files.ts";
import { discoverRules, type Surroundings } from "./discovery.ts";
import type { Rule } from "./rule.ts";
import { fits } from "./scope.ts";
import { STREAM_RULE_DEFAULTS, type StreamRuleSettings, Watch } from "./stream-watch.ts";
import { systemBlocks } from "./system-text.ts";

export type RulesOptions = {
  cwd: string;
  agentDir?: string;
  home?: string;
  /** `ttsr.*` of the settings. */
  stream?: Partial<StreamRuleSettings>;
  /** Turns off the discovery of rules and context files. */
  off?: boolean;
};

/** Finds the rules for a session that works in `cwd`. Never rejects: faulty files are listed in `problems`. */
export async function createRules(options: RulesOptions): Promise<Rules> {
  const { cwd, agentDir = agentDirectory(), home = homedir() } = options;
  const settings = { ...STREAM_RULE_DEFAULTS, ...options.stream };
  const place = { cwd, agentDir, home };
  if (options.off) return new FoundRules(place, [], [], [], settings);
  const { rules, problems } = await discoverRules(place);
  return new FoundRules(place, rules, contextFiles(place, problems), problems, settings);
}

type Bucket = RuleSummary["bucket"];

function bucketOf(rule: Rule, streaming: boolean): Bucket | undefined {
  if (streaming && rule.condition) return "stream";
  if (rule.alwaysApply) return "always";
  if (rule.description) return "rulebook";
  return rule.globs ? "globs" : undefined;
}

class FoundRules implements Rules {
  readonly problems: RuleProblem[];
  readonly watch: Watch;
  readonly urls: UrlHandler;
  private readonly place: Surroundings;
  private readonly context: readonly ContextFile[];
  private readonly buckets: Record<Bucket, Rule[]> = { stream: [], always: [], rulebook: [], globs: [] };
  private readonly injected = new Set<string>();

  constructor(
    place: Surroundings,
    rules: readonly Rule[],
    context: readonly ContextFile[],
    problems: RuleProblem[],
    settings: StreamRuleSettings,
  ) {
    this.place = place;
    this.context = context;
    this.problems = problems;
    for (const rule of rules) {
      const bucket = bucketOf(rule, settings.enabled);
      if (bucket) this.buckets[bucket].push(rule);
      else problems.push({ file: rule.path, message: DROPPED });
    }
    this.watch = new Watch(this.buckets.stream, settings, place.cwd, problems);
    this.urls = { description: "The text of a rule of the rulebook.", read: async (url) => this.read(url) };
  }

  system(): readonly string[] {
    return systemBlocks(this.context, this.buckets.always, this.buckets.rulebook);
  }

  injectFor(actions: readonly Action[]): Injection | undefined {
    const paths = actions.flatMap((action) =>
      action.kind === "file.read" || action.kind === "file.write" ? [action.path] : [],
    );
    const guided = [...this.buckets.rulebook, ...this.buckets.globs].filter(
      ({ name, globs, root }) =>
        globs && !this.injected.has(name) && paths.some((path) => fits(path, globs, [this.place.cwd, root])),
    );
    const nested = paths.flatMap((path) => nestedContextFiles(path, this.place, this.problems));
    const files = nested.filter(
      ({ name }, index) => !this.injected.has(name) && nested.findIndex((other) => other.name === name) === index,
    );
    const found = [...files, ...guided];
    if (found.length === 0) return undefined;
    for (const { name } of found) this.injected.add(name);
    const texts = found.map(
      ({ name, path, content }) =>
        `<rule name=${JSON.stringify(name)} path=${JSON.stringify(path)}>\n${content}\n</rule>`,
    );
    const text = `These instructions apply to files that you have just read or changed:\n\n${texts.join("\n\n")}`;
    return { text, rules: found.map(({ name, path }) => ({ name, path })) };
  }

  restore(injectedRules: readonly string[]): void {
    this.injected.clear();
    for (const name of injectedRules) this.injected.add(name);
    this.watch.restore(injectedRules);
  }

  list(): readonly RuleSummary[] {
    return (Object.keys(this.buckets) as Bucket[]).flatMap((bucket) =>
      this.buckets[bucket].map(({ name, path, source, description, globs }) => ({
        name,
        path,
        source,
        bucket,
        description,
        globs,
      })),
    );
  }

  private read(url: string) {
    const name = decodeName(url.replace(/^rule:\/\//, "").replace(/\/$/, ""));
    const readable = [...this.buckets.rulebook, ...this.buckets.always, ...this.buckets.globs];
    const rule = readable.find((rule) => rule.name === name);
    if (rule) return { text: rule.content, contentType: "text/markdown" as const, immutable: true };
    const names = readable.map((rule) => rule.name).join(", ");
    throw new ToolError(`There is no rule ${name}. ${names ? `Known rules: ${names}` : "There are no rules."}`);
  }
}

const DROPPED = "the rule is never used: it has neither `description`, `globs`, `condition` nor `alwaysApply: true`";

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
