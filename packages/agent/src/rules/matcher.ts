import { createContext, Script } from "node:vm";
import { compile } from "./rule.ts";

/** How long an untrusted pattern may run on one piece. */
const BUDGET_MS = 50;

export type Matcher = (text: string) => boolean | "too slow";

/**
 * A pattern with at most one unbounded repetition and no back references runs in quadratic time at worst. Every other
 * pattern runs in a context that can be stopped.
 */
export function matcher(pattern: string): Matcher {
  const regex = compile(pattern);
  if (isTame(pattern)) return (text) => regex.test(text);
  return (text) => {
    context ??= createContext({ regex, text: "" });
    script ??= new Script("regex.test(text)");
    context.regex = regex;
    context.text = text;
    try {
      return script.runInContext(context, { timeout: BUDGET_MS }) as boolean;
    } catch {
      return "too slow";
    }
  };
}

let context: Record<string, unknown> | undefined;
let script: Script | undefined;

function isTame(pattern: string): boolean {
  const bare = pattern.replace(/\\[^1-9k]/g, "x").replace(/\[[^\]]*\]/g, "x");
  if (/\\[1-9k]/.test(bare)) return false;
  const endless = bare.match(/[*+]|\{\d*,\d*\}/g) ?? [];
  return endless.length <= 1 && !/\)(?:[*+]|\{)/.test(bare);
}
