import type { Arg } from "./args.ts";
import { matchOptions } from "./match-options.ts";
import { type Call, type CompiledSpec, compileSpec, type Kind, type ProgramSpec } from "./spec.ts";
import { BUILTINS } from "./tables/builtins.ts";
import { DEVELOPER_TOOLS, isVersionCall } from "./tables/developer-tools.ts";
import { FILE_TOOLS } from "./tables/file-tools.ts";
import { SYSTEM_TOOLS } from "./tables/system-tools.ts";
import { TEXT_TOOLS } from "./tables/text-tools.ts";

/** What a call reads. `folder`: with everything below it; `linked folder`: also where links lead. */
export type ReadFile = { arg: Arg; how: "content" | "names" | "folder" | "linked folder" };

/** All programs that may count as reading, except for git, find and wrappers, which are parsed elsewhere. */
export const READING_PROGRAMS: Readonly<Record<string, ProgramSpec>> = {
  ...BUILTINS,
  ...TEXT_TOOLS,
  ...FILE_TOOLS,
  fdfind: FILE_TOOLS.fd!,
  pip3: DEVELOPER_TOOLS.pip!,
  ...SYSTEM_TOOLS,
  ...DEVELOPER_TOOLS,
};

/** What a call of a listed program reads; undefined if the program is unknown, or a part of the call is. */
export function readsOf(program: string, args: readonly Arg[]): ReadFile[] | undefined {
  if (
    args.every(({ open }) => !open) &&
    isVersionCall(
      program,
      args.map(({ text }) => text),
    )
  )
    return [];
  const spec = Object.hasOwn(READING_PROGRAMS, program) ? READING_PROGRAMS[program] : undefined;
  if (!spec) return undefined;
  return readsOfSpec(spec, program === "tar" ? withDash(args) : args, program === "echo");
}

/** The old form of tar's options: letters without a dash. */
function withDash(args: readonly Arg[]): readonly Arg[] {
  const [first, ...rest] = args;
  if (!first || first.open || !/^[a-zA-Z]+$/.test(first.text)) return args;
  // In the old form the value of `f` is the next argument, even if letters follow.
  if (/f./.test(first.text)) return [{ ...first, open: true }, ...rest];
  const text = `-${first.text}`;
  return [{ ...first, text, candidates: [text] }, ...rest];
}

/** `lenient`: tokens that are not known before the run are accepted. */
export function readsOfSpec(spec: ProgramSpec, args: readonly Arg[], lenient = false): ReadFile[] | undefined {
  const compiled = compileSpec(spec);
  if (compiled.raw) {
    if (!lenient && args.some(({ many, open, candidates }) => many || (open && candidates.length > 0)))
      return undefined;
    return compiled.raw(args.map((arg) => (arg.candidates.length === 1 ? arg.text : `\u0001`))) ? [] : undefined;
  }
  if (compiled.subcommands) return readsOfSubcommand(compiled, compiled.subcommands, args);
  const call = matchOptions(compiled, args);
  if (!call || !isAccepted(compiled, call)) return undefined;
  return filesOf(compiled, call);
}

function readsOfSubcommand(
  spec: CompiledSpec,
  subcommands: Readonly<Record<string, ProgramSpec>>,
  args: readonly Arg[],
): ReadFile[] | undefined {
  const call = matchOptions({ ...spec, stopsAtOperand: true, harmless: false }, args);
  if (!call) return undefined;
  const [name, ...rest] = call.operands;
  if (!name) return spec.alone && isAccepted(spec, call) ? [] : undefined;
  if (name.open || name.candidates.length !== 1 || !Object.hasOwn(subcommands, name.text)) return undefined;
  const reads = readsOfSpec(subcommands[name.text]!, rest);
  return reads && [...filesOf({ ...spec, operands: ["text"] }, { ...call, operands: [] }), ...reads];
}

function isAccepted(spec: CompiledSpec, call: Call): boolean {
  const { operands = [], mostOperands = operands.length === 0 ? 0 : Number.POSITIVE_INFINITY } = spec;
  if (call.operands.length > mostOperands) return false;
  // A word that becomes several ones may exceed any limit.
  if (mostOperands !== Number.POSITIVE_INFINITY && call.operands.some(({ many }) => many)) return false;
  return !spec.check || everyVariant(call, spec.check);
}

const MOST_VARIANTS = 64;

/** Whether the check accepts the call with each of the texts that its arguments may be. */
function everyVariant(call: Call, check: (call: Call) => boolean): boolean {
  const args = [...call.operands, ...call.options.flatMap(({ value }) => value ?? [])];
  const choices = args.map((arg) =>
    arg.candidates.length > 1 ? arg.candidates.map((text) => ({ ...arg, text, candidates: [text] })) : [arg],
  );
  if (choices.reduce((count, { length }) => count * length, 1) > MOST_VARIANTS) return false;
  const variants = choices.reduce<Arg[][]>(
    (all, each) => all.flatMap((list) => each.map((arg) => [...list, arg])),
    [[]],
  );
  return variants.every((variant) => {
    const replaced = new Map(args.map((arg, at) => [arg, variant[at]!]));
    const options = call.options.map((option) => ({
      ...option,
      ...(option.value && { value: replaced.get(option.value)! }),
    }));
    const operands = call.operands.map((arg) => replaced.get(arg)!);
    const value: Call["value"] = (...names) => options.findLast(({ name }) => names.includes(name))?.value;
    return check({ ...call, options, operands, value });
  });
}

function filesOf(spec: CompiledSpec, call: Call): ReadFile[] {
  const how = spec.namesOnly ? "names" : "content";
  const ofOptions = call.options.flatMap(({ kind, value }): ReadFile[] =>
    value && (kind === "file" || kind === "folder")
      ? [{ arg: value, how: kind === "folder" ? "names" : "content" }]
      : [],
  );
  const kinds: readonly Kind[] = spec.operands ?? [];
  const skipped = call.has(...(spec.scriptOptions ?? [])) ? 1 : 0;
  const kindAt = (at: number) => kinds[Math.min(at + skipped, kinds.length - 1)];
  const files = call.operands.filter((arg, at) => kindAt(at) === "file" && arg.text !== "-");
  const recursive = spec.recursive === true || (spec.recursive !== undefined && call.has(...spec.recursive));
  const roots = recursive && files.length === 0 ? [HERE] : files;
  const folders = spec.followsLinks && call.has(...spec.followsLinks) ? "linked folder" : "folder";
  return [...ofOptions, ...roots.map((arg): ReadFile => ({ arg, how: recursive ? folders : how }))];
}

const HERE: Arg = { text: ".", candidates: ["."], under: [], open: false, many: false, glob: false };
