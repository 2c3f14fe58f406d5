import type { RuleProblem } from "../contract/rules.ts";

export const INTERRUPT_MODES = ["never", "prose-only", "tool-only", "always"] as const;
export type RuleInterruptMode = (typeof INTERRUPT_MODES)[number];

/** A rule from whatever file. Its name is what counts as the same rule. */
export type Rule = {
  name: string;
  path: string;
  source: string;
  content: string;
  /** The folder that `globs` are relative to, beside the session's own. */
  root: string;
  globs?: string[];
  alwaysApply?: boolean;
  description?: string;
  condition?: string[];
  scope?: string[];
  interruptMode?: RuleInterruptMode;
};

/** What was found in a file before anybody asked what it means. `lineOf` says where a field or its n-th item stands. */
export type Front = {
  fields: Record<string, unknown>;
  body: string;
  problems: RuleProblem[];
  lineOf(field: string, item?: number): number | undefined;
};

export type RuleFile = {
  name: string;
  path: string;
  source: string;
  root: string /** Without any field it applies always. */;
  plain?: boolean;
};

/** A rule in our words. Fields of the wrong kind are left out, with a problem. */
export function makeRule(file: RuleFile, front: Front): { rule: Rule; problems: RuleProblem[] } {
  const problems = [...front.problems];
  const { fields } = front;
  const wrong = (field: string, wanted: string) =>
    problems.push({
      file: file.path,
      line: front.lineOf(field),
      message: `\`${field}\` must be ${wanted}; it is left out`,
    });
  const rule: Rule = { name: file.name, path: file.path, source: file.source, root: file.root, content: front.body };
  const { description } = fields;
  if (typeof description === "string" && description.trim() !== "") rule.description = description.trim();
  else if (description !== undefined && description !== null && typeof description !== "string")
    wrong("description", "a text");
  rule.alwaysApply = always(fields, file, wrong);
  rule.globs = strings(fields.globs ?? fields.paths, splitGlobs);
  const conditionField = ["condition", "ttsr_trigger", "ttsrTrigger"].find((name) => fields[name] != null);
  const said = conditionField ? strings(fields[conditionField], (text) => [text]) : undefined;
  const scope = strings(fields.scope, splitScope) ?? [];
  const valid = conditions(said ?? [], (item, message) =>
    problems.push({ file: file.path, line: front.lineOf(conditionField!, item), message }),
  );
  if (valid.patterns.length > 0) rule.condition = valid.patterns;
  const all = [...scope, ...valid.scope];
  for (const token of all.filter((token) => !SCOPE.test(token)))
    wrong("scope", `text, thinking, tool, tool:<name> or tool:<name>(<glob>), not ${token}`);
  if (all.some((token) => SCOPE.test(token))) rule.scope = all.filter((token) => SCOPE.test(token));
  const { interruptMode } = fields;
  if (INTERRUPT_MODES.includes(interruptMode as RuleInterruptMode))
    rule.interruptMode = interruptMode as RuleInterruptMode;
  else if (interruptMode != null) wrong("interruptMode", INTERRUPT_MODES.join(", "));
  return { rule, problems };
}

const SCOPE = /^(?:text|thinking|tool|tool:[\w.*-]+(?:\([^()]+\))?)$/;

function always(
  fields: Record<string, unknown>,
  file: RuleFile,
  wrong: (field: string, wanted: string) => void,
): boolean | undefined {
  if (fields.alwaysApply === true || fields.trigger === "always_on") return true;
  if (fields.alwaysApply != null && typeof fields.alwaysApply !== "boolean") wrong("alwaysApply", "true or false");
  if (!file.plain) return undefined;
  return Object.keys(fields).length === 0 ? true : undefined;
}

/** A condition that is really a glob stands for every change of such a file. */
function conditions(
  said: string[],
  problem: (item: number, message: string) => void,
): { patterns: string[]; scope: string[] } {
  const patterns: string[] = [];
  const scope: string[] = [];
  for (const [item, text] of said.entries()) {
    if (looksLikeGlob(text)) {
      scope.push(`tool:edit(${text})`, `tool:write(${text})`);
      continue;
    }
    const fault = faultOf(text);
    if (fault) problem(item, `the condition is not a regular expression: ${fault}`);
    else patterns.push(text);
  }
  return { patterns: scope.length > 0 && patterns.length === 0 ? [".*"] : patterns, scope };
}

function looksLikeGlob(text: string): boolean {
  if (!/^[\w@./*{},?-]+$/.test(text)) return false;
  return /^\*+[./]\w/.test(text) || text.includes("**/") || text.includes("/**") || /\/\*\.[\w{},]+$/.test(text);
}

function faultOf(pattern: string): string | undefined {
  try {
    compile(pattern);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** A pattern may begin with flags, as `(?i)`. Throws a SyntaxError. */
export function compile(pattern: string): RegExp {
  const [, flags = "", rest = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  return new RegExp(rest, [...new Set(flags)].join(""));
}

function strings(value: unknown, split: (text: string) => string[]): string[] | undefined {
  const items = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string");
  const parts = items.flatMap(split).filter((item) => item.trim() !== "");
  return parts.length > 0 ? parts : undefined;
}

/** At commas, but not within braces. */
function splitGlobs(text: string): string[] {
  return text.split(/,(?![^{]*\})/).map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

/** At commas and blanks, but not within parentheses. */
function splitScope(text: string): string[] {
  return text.split(/[,\s]+(?![^(]*\))/).map((part) => part.trim());
}
