import type { MessagePiece } from "../contract/events.ts";
import type { Injection, Intervention, RuleProblem, StreamWatch } from "../contract/rules.ts";
import { decodeEscapes, pathsIn } from "./arguments.ts";
import { type Matcher, matcher } from "./matcher.ts";
import type { Rule, RuleInterruptMode } from "./rule.ts";
import { inScope, type Speech } from "./scope.ts";

export type StreamRuleSettings = {
  enabled: boolean;
  contextMode: "discard" | "keep";
  interruptMode: RuleInterruptMode;
  repeatMode: "once" | "after-gap";
  /** Counted in answers of the model. */
  repeatGap: number;
};

export const STREAM_RULE_DEFAULTS: StreamRuleSettings = {
  enabled: true,
  contextMode: "discard",
  interruptMode: "always",
  repeatMode: "once",
  repeatGap: 10,
};

/** How many characters a match may span across pieces. */
const WINDOW = 8192;

/** The time that one rule may use in a session, summed over all pieces. */
const BUDGET_MS = 2000;

type Watched = { rule: Rule; matchers: Matcher[]; spentMs: number; injectedAt?: number; off?: boolean };
type Block = { kind: "text" | "thinking" } | { kind: "tool"; tool: string };
/** `hits`: rules that matched in this block and wait for the call to name its files. */
type StreamedBlock = Block & { window: string; head: string; hits: Set<Watched> };

export class Watch implements StreamWatch {
  private readonly watched: Watched[];
  private readonly settings: StreamRuleSettings;
  private readonly cwd: string;
  private readonly problems: RuleProblem[];
  private readonly blocks = new Map<number, StreamedBlock>();
  private readonly postponed = new Set<Watched>();
  private answers = 0;
  private over = false;

  constructor(rules: readonly Rule[], settings: StreamRuleSettings, cwd: string, problems: RuleProblem[]) {
    this.watched = rules.map((rule) => ({ rule, matchers: (rule.condition ?? []).map(matcher), spentMs: 0 }));
    this.settings = settings;
    this.cwd = cwd;
    this.problems = problems;
  }

  begin(): void {
    this.answers++;
    this.blocks.clear();
    this.postponed.clear();
    this.over = this.watched.length === 0;
  }

  feed(piece: MessagePiece): Intervention | undefined {
    if (this.over) return undefined;
    if (piece.type === "toolcall_start") {
      this.blocks.set(piece.index, { kind: "tool", tool: piece.name, window: "", head: "", hits: new Set() });
      return undefined;
    }
    const block = this.blockOf(piece);
    if (!block) return undefined;
    if ("delta" in piece) appendDelta(block, piece.delta);
    const whole = piece.type === "toolcall_end" ? JSON.stringify(piece.toolCall.arguments) : undefined;
    const broken = this.brokenBy(block, whole);
    const stops = broken.filter(({ rule }) =>
      interrupts(rule.interruptMode ?? this.settings.interruptMode, block.kind),
    );
    for (const watched of broken) if (!stops.includes(watched)) this.postponed.add(watched);
    if (stops.length === 0) return undefined;
    this.over = true;
    for (const watched of stops) watched.injectedAt = this.answers;
    return { ...injectionFor(stops, "interrupt"), keep: this.settings.contextMode === "keep" };
  }

  end(): Injection | undefined {
    this.over = true;
    const late = [...this.postponed].filter(({ injectedAt }) => injectedAt !== this.answers);
    this.postponed.clear();
    if (late.length === 0) return undefined;
    for (const watched of late) watched.injectedAt = this.answers;
    return injectionFor(late, "reminder");
  }

  restore(names: readonly string[]): void {
    for (const watched of this.watched) {
      watched.injectedAt = names.includes(watched.rule.name) ? this.answers : undefined;
    }
  }

  private blockOf(piece: MessagePiece): StreamedBlock | undefined {
    const kind = piece.type.startsWith("text") ? "text" : "thinking";
    if (!piece.type.startsWith("toolcall") && !this.blocks.has(piece.index)) {
      this.blocks.set(piece.index, { kind, window: "", head: "", hits: new Set() });
    }
    return this.blocks.get(piece.index);
  }

  private brokenBy(block: StreamedBlock, whole: string | undefined): Watched[] {
    const ready = this.watched.filter(
      (watched) => !watched.off && !this.postponed.has(watched) && this.mayRepeat(watched),
    );
    return ready.filter((watched) => {
      const scope = inScope(watched.rule, this.blockWithPaths(block, whole), this.cwd);
      if (scope === false) return false;
      if (!block.hits.has(watched) && this.matches(watched, block)) block.hits.add(watched);
      return scope === true && block.hits.has(watched);
    });
  }

  private blockWithPaths(block: StreamedBlock, whole: string | undefined): Speech {
    if (block.kind !== "tool") return block;
    return { kind: "tool", tool: block.tool, paths: pathsIn(whole ?? `${block.head}${block.window}`) };
  }

  private mayRepeat({ injectedAt }: Watched): boolean {
    if (injectedAt === undefined) return true;
    return this.settings.repeatMode === "after-gap" && this.answers - injectedAt >= this.settings.repeatGap;
  }

  private matches(watched: Watched, block: StreamedBlock): boolean {
    const texts = block.kind === "tool" ? [decodeEscapes(block.window), block.window] : [block.window];
    const from = performance.now();
    const results = anyOf(watched.matchers, texts);
    watched.spentMs += performance.now() - from;
    if (results === "too slow" || watched.spentMs > BUDGET_MS) {
      watched.off = true;
      const { path, name } = watched.rule;
      const message = `a condition of the rule ${name} takes too long; the rule is off for this session`;
      this.problems.push({ file: path, message });
    }
    return results === true;
  }
}

function anyOf(matchers: readonly Matcher[], texts: readonly string[]): boolean | "too slow" {
  for (const test of matchers) {
    for (const text of texts) {
      const result = test(text);
      if (result !== false) return result;
    }
  }
  return false;
}

function appendDelta(block: StreamedBlock, delta: string): void {
  if (block.head.length < WINDOW) block.head += delta.slice(0, WINDOW - block.head.length);
  const window = block.window + delta;
  // The NUL keeps `^` from matching at the cut.
  block.window = window.length <= WINDOW ? window : `\0${window.slice(-WINDOW)}`;
}

function interrupts(mode: RuleInterruptMode, kind: Block["kind"]): boolean {
  if (mode === "always") return true;
  return mode === (kind === "tool" ? "tool-only" : "prose-only");
}

function injectionFor(broken: readonly Watched[], how: "interrupt" | "reminder"): Injection {
  const begin = how === "interrupt" ? "Your answer was stopped because it breaks" : "Your last answer breaks";
  const texts = broken.map(({ rule }) => {
    const head = `<system-${how} reason="rule_violation" rule=${JSON.stringify(rule.name)} path=${JSON.stringify(rule.path)}>`;
    return `${head}\n${begin} this rule. Continue and follow it.\n\n${rule.content}\n</system-${how}>`;
  });
  return { text: texts.join("\n\n"), rules: broken.map(({ rule: { name, path } }) => ({ name, path })) };
}
