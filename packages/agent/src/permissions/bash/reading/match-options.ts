import type { Arg } from "./args.ts";
import { type Call, type CompiledSpec, isHarmful, type Option } from "./spec.ts";

type Given = Call["options"][number];

/**
 * Parses the arguments as the program itself does: clusters, attached and separate values, abbreviations, `--`.
 * Returns undefined for a call that is not fully known or has a harmful option.
 */
export function matchOptions(spec: CompiledSpec, args: readonly Arg[]): Call | undefined {
  const options: Given[] = [];
  const operands: Arg[] = [];
  let ended = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!;
    if (ended) {
      operands.push(arg);
    } else if (arg.open) {
      // It may become an option, or several tokens.
      if (!spec.harmless) return undefined;
      operands.push(arg);
    } else if (arg.text === "--") {
      ended = true;
    } else if (arg.text.startsWith("-") && arg.text !== "-") {
      const taken = matchOption(spec, arg, args[at + 1], args[at + 2]);
      if (!taken) return undefined;
      options.push(...taken.options);
      at += taken.used;
    } else {
      operands.push(arg);
      if (spec.stopsAtOperand) ended = true;
    }
  }
  if (options.some(({ kind }) => isHarmful(kind))) return undefined;
  return {
    options,
    operands,
    has: (...names) => options.some(({ name }) => names.includes(name)),
    value: (...names) => options.findLast(({ name }) => names.includes(name))?.value,
  };
}

/** `used`: how many of the next arguments are values. */
type Taken = { options: Given[]; used: number };

function matchOption(spec: CompiledSpec, arg: Arg, next: Arg | undefined, second: Arg | undefined): Taken | undefined {
  const pair = spec.table.get(arg.text);
  if (pair?.value === "two") {
    if (!next || !second || next.many || second.many) return undefined;
    return { options: [{ name: pair.name, kind: pair.kind, value: second }], used: 2 };
  }
  if (spec.numeric && /^-\d+$/.test(arg.text)) return { options: [], used: 0 };
  if (spec.singleDash) {
    const option = spec.table.get(arg.text);
    return option && withSeparateValue(spec, option, next);
  }
  return arg.text.startsWith("--") ? matchLong(spec, arg, next) : matchCluster(spec, arg, next);
}

function matchLong(spec: CompiledSpec, arg: Arg, next: Arg | undefined): Taken | undefined {
  const equals = arg.text.indexOf("=");
  const name = equals < 0 ? arg.text : arg.text.slice(0, equals);
  const option = spec.table.get(name) ?? (spec.abbreviations ? findAbbreviated(spec, name) : undefined);
  if (!option) return undefined;
  if (equals < 0) return option.value === "optional" ? flag(option) : withSeparateValue(spec, option, next);
  if (option.value === "none") return undefined;
  return option.value === "two" ? undefined : withValue(option, restOf(arg, equals + 1), 0);
}

function findAbbreviated({ table }: CompiledSpec, name: string): Option | undefined {
  const found = [...table.values()].filter((option) => option.name.startsWith(name));
  return found.length === 1 && name.length > 2 ? found[0] : undefined;
}

function matchCluster(spec: CompiledSpec, arg: Arg, next: Arg | undefined): Taken | undefined {
  const options: Given[] = [];
  for (let at = 1; at < arg.text.length; at++) {
    const option = spec.table.get(`-${arg.text[at]}`);
    if (!option) return undefined;
    if (option.value === "none") {
      options.push({ name: option.name, kind: option.kind });
      continue;
    }
    const attached = at < arg.text.length - 1;
    const last = attached
      ? withValue(option, restOf(arg, at + 1), 0)
      : option.value === "optional"
        ? flag(option)
        : withSeparateValue(spec, option, next);
    return last && { options: [...options, ...last.options], used: last.used };
  }
  return { options, used: 0 };
}

function flag({ name, kind }: Option): Taken {
  return { options: [{ name, kind }], used: 0 };
}

function withSeparateValue(spec: CompiledSpec, option: Option, next: Arg | undefined): Taken | undefined {
  if (option.value === "none") return flag(option);
  // A word that may become several ones would shift everything after it.
  if (!next || (next.many && !spec.harmless)) return undefined;
  return withValue(option, next, 1);
}

function withValue({ name, kind }: Option, value: Arg, used: number): Taken | undefined {
  const sure = value.candidates.length > 0;
  if (kind === "number" && sure && !value.candidates.every((text) => /^[+-]?[\d.,]+[\w%]*$/.test(text)))
    return undefined;
  if (kind === "repository" && !(sure && value.candidates.every((text) => /^[\w.-]+\/[\w.-]+$/.test(text))))
    return undefined;
  return { options: [{ name, kind, value }], used };
}

/** The part of an argument that is the value of the option at its beginning. */
function restOf(arg: Arg, from: number): Arg {
  const cut = (text: string) => text.slice(from);
  return { ...arg, text: cut(arg.text), candidates: arg.candidates.map(cut) };
}
