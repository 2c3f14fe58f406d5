import type { RuleProblem } from "../contract/rules.ts";

export const INTERRUPT_MODES = ["never", "prose-only", "tool-only", "always"] as const;
export type RuleInterruptMode = (typeof INTERRUPT_MODES)[number];

/** A rule from any source. Rules with the same name are the same rule. */
export type Rule = {
  name: string;
  path: string;
  source: string;
  content: string;
  /** The folder that `globs` are relative to, in addition to the session's folder. */
  root: string;
  globs?: string[];
  alwaysApply?: boolean;
  description?: string;
  condition?: string[];
  scope?: string[];
  interruptMode?: RuleInterruptMode;
};

/** The raw fields of a file. `lineOf` returns the line of a field or of its n-th item. */
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

/** Builds a rule from the raw fields. A field of the wrong type is ignored and reported. */
export function makeRule(file: RuleFile, front: Front): { rule: Rule; problems: RuleProblem[] } {
  const problems = [...front.problems];
  const { fields } = front;
  const reportField = (field: string, wanted: string) =>
    problems.push({
      file: file.path,
      line: front.lineOf(field),
      message: `\`${field}\` must be ${wanted}; the field is ignored`,
    });
  const rule: Rule = { name: file.name, path: file.path, source: file.source, root: file.root, content: front.body };
  const { description } = fields;
  if (typeof description === "string" && description.trim() !== "") rule.description = description.trim();
  else if (description !== undefined && description !== null && typeof description !== "string")
    reportField("description", "a text");
  rule.alwaysApply = parseAlwaysApply(fields, file, reportField);
  rule.globs = strings(fields.globs ?? fields.paths, splitGlobs);
  const conditionField = ["condition", "ttsr_trigger", "ttsrTrigger"].find((name) => fields[name] != null);
  const texts = conditionField ? strings(fields[conditionField], (text) => [text]) : undefined;
  const scope = strings(fields.scope, splitScope) ?? [];
  const valid = conditions(texts ?? [], (item, message) =>
    problems.push({ file: file.path, line: front.lineOf(conditionField!, item), message }),
  );
  if (valid.patterns.length > 0) rule.condition = valid.patterns;
  const all = [...scope, ...valid.scope];
  for (const token of all.filter((token) => !SCOPE.test(token)))
    reportField("scope", `text, thinking, tool, tool:<name> or tool:<name>(<glob>), not ${token}`);
  if (all.some((token) => SCOPE.test(token))) rule.scope = all.filter((token) => SCOPE.test(token));
  const { interruptMode } = fields;
  if (INTERRUPT_MODES.includes(interruptMode as RuleInterruptMode))
    rule.interruptMode = interruptMode as RuleInterruptMode;
  else if (interruptMode != null) reportField("interruptMode", INTERRUPT_MODES.join(", "));
  return { rule, problems };
}

const SCOPE = /^(?:text|thinking|tool|tool:[\w.*-]+(?:\([^()]+\))?)$/;

function parseAlwaysApply(
  fields: Record<string, unknown>,
  file: RuleFile,
  reportField: (field: string, wanted: string) => void,
): boolean | undefined {
  if (fields.alwaysApply === true || fields.trigger === "always_on") return true;
  if (fields.alwaysApply != null && typeof fields.alwaysApply !== "boolean")
    reportField("alwaysApply", "true or false");
  if (!file.plain) return undefined;
  return Object.keys(fields).length === 0 ? true : undefined;
}

/** A condition that is really a glob matches every change of such a file. */
function conditions(
  texts: string[],
  problem: (item: number, message: string) => void,
): { patterns: string[]; scope: string[] } {
  const patterns: string[] = [];
  const scope: string[] = [];
  for (const [item, text] of texts.entries()) {
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

/** A pattern may begin with inline flags such as `(?i)`. Throws a SyntaxError. */
export function compile(pattern: string): RegExp {
  const [, flags = "", rest = pattern] = /^\(\?([ims]+)\)([\s\S]*)$/.exec(pattern) ?? [];
  return new RegExp(rest, [...new Set(flags)].join(""));
}

function strings(value: unknown, split: (text: string) => string[]): string[] | undefined {
  const items = (Array.isArray(value) ? value : [value]).filter((item): item is string => typeof item === "string");
  const parts = items.flatMap(split).filter((item) => item.trim() !== "");
  return parts.length > 0 ? parts : undefined;
}

/** Splits at commas outside braces. */
function splitGlobs(text: string): string[] {
  return text.split(/,(?![^{]*\})/).map((part) => part.trim().replace(/^(["'])(.*)\1$/, "$2"));
}

/** Splits at commas and spaces outside parentheses. */
function splitScope(text: string): string[] {
  return text.split(/[,\s]+(?![^(]*\))/).map((part) => part.trim());
}
