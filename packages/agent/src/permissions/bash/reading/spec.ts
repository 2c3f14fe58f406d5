import type { Arg } from "./args.ts";

/**
 * What the value of an option or an operand is. `file` is read, `folder` is entered. `write` names a file that is
 * changed, `program` something that is run, `harm` any other effect: a call with one of these does not only read.
 */
export type Kind = "text" | "number" | "file" | "folder" | "repository" | "write" | "program" | "harm";

const HARMFUL: ReadonlySet<Kind> = new Set(["write", "program", "harm"]);

export type Option = { name: string; value: "none" | "required" | "optional" | "two"; kind: Kind };

/** How one program is called when it only reads. Data: everything that is not listed asks. */
export type ProgramSpec = {
  /**
   * The options, separated by spaces: `-n:number` has a value, `--color?:text` may have one (attached only), `--arg*:text` has two, `-i!` is a
   * harmful flag. Harmful options are listed where an abbreviation or a cluster could reach them, and for the tests.
   */
  options?: string;
  /** Kinds of the operands in order; the last one repeats. Default: no operands. */
  operands?: readonly Kind[];
  mostOperands?: number;
  /** With one of these options the first operand kind does not apply: the option supplies the pattern or script. */
  scriptOptions?: readonly string[];
  /** Accepts unambiguous beginnings of long options, as `getopt_long` does. */
  abbreviations?: boolean;
  /** Long options have one dash, and short ones cannot be combined. */
  singleDash?: boolean;
  /** Accepts `-5`. */
  numeric?: boolean;
  /** The first operand ends the options. */
  stopsAtOperand?: boolean;
  /** Reads whole folders: always, or with one of these options. Without an operand it reads the shell's folder. */
  recursive?: true | readonly string[];
  /** With one of these options it follows links in these folders. */
  followsLinks?: readonly string[];
  /** Shows names and metadata of its operands, never their content. */
  namesOnly?: true;
  /** A last check, for effects that do not depend on the options alone. */
  check?(call: Call): boolean;
  /** For programs with an unusual syntax: decides about the literal arguments. */
  raw?(texts: readonly string[]): boolean;
  /** The specification of each subcommand; the operand that names it is not in the call. */
  subcommands?: Readonly<Record<string, ProgramSpec>>;
  /** It also reads without a subcommand. */
  alone?: true;
};

/** A call that matches its specification. */
export type Call = {
  /** The options by their listed names, with their values. */
  options: readonly { name: string; kind: Kind; value?: Arg }[];
  operands: readonly Arg[];
  has(...names: string[]): boolean;
  value(...names: string[]): Arg | undefined;
};

export type CompiledSpec = ProgramSpec & {
  table: ReadonlyMap<string, Option>;
  /** No option of the program has an effect, so a word that is unknown before the run cannot have one. */
  harmless: boolean;
};

const compiled = new WeakMap<ProgramSpec, CompiledSpec>();

export function compileSpec(spec: ProgramSpec): CompiledSpec {
  const known = compiled.get(spec);
  if (known) return known;
  const common = spec.abbreviations ? " --help --version" : "";
  const table = new Map(parseOptions(`${spec.options ?? ""}${common}`).map((option) => [option.name, option]));
  const harmless =
    [...table.values()].every(({ kind }) => !isHarmful(kind)) &&
    !spec.check &&
    !spec.raw &&
    !spec.subcommands &&
    spec.mostOperands === undefined &&
    (spec.operands ?? []).length > 0;
  const result = { ...spec, table, harmless };
  compiled.set(spec, result);
  return result;
}

export function isHarmful(kind: Kind): boolean {
  return HARMFUL.has(kind);
}

export function parseOptions(text: string): Option[] {
  return text
    .split(/\s+/)
    .filter(Boolean)
    .map((token) => {
      const [, name = "", optional, kind, harm] = /^(-[^:?!*]*|-[?])([?*])?(?::(\w+))?(!)?$/.exec(token) ?? [];
      if (name === "") throw new Error(`not an option: ${token}`);
      if (harm) return { name, value: "none", kind: "harm" };
      if (!kind) return { name, value: "none", kind: "text" };
      return { name, value: optional === "?" ? "optional" : optional === "*" ? "two" : "required", kind: kind as Kind };
    });
}
