import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { classify } from "../classify.ts";
import { READING_PROGRAMS } from "./reading-call.ts";
import { compileSpec, isHarmful, type Option, type ProgramSpec } from "./spec.ts";
import { GIT_COMMANDS, GIT_GLOBAL } from "./tables/git-commands.ts";

const place = { cwd: "/nonexistent/app", folders: [], env: { HOME: "/nonexistent" } };
const worst = (command: string) => classify(command, place).worst;

/** A call that only reads: `before` and `after` stand around the options. */
type Base = { before: string; after: string; spec: ProgramSpec };

const SCRIPTS: Record<string, string> = {
  sed: "p",
  awk: "'{print}'",
  gawk: "1",
  mawk: "1",
  date: "+%s",
  jq: ".",
  yq: ".",
  tar: "-tf a",
};

function basesOf(name: string, spec: ProgramSpec): Base[] {
  if (spec.raw) return [];
  const inner = Object.entries(spec.subcommands ?? {}).flatMap(([sub, each]) => basesOf(`${name} ${sub}`, each));
  const operands = spec.operands?.[0] === "text" && spec.operands.includes("file") ? "x a" : spec.operands ? "a" : "";
  const after = SCRIPTS[name] ? `${SCRIPTS[name]} ${name === "tar" || name === "date" ? "" : "a"}` : operands;
  return [{ before: name, after, spec }, ...inner];
}

const BASES: Base[] = [
  ...Object.entries(READING_PROGRAMS).flatMap(([name, spec]) => basesOf(name, spec)),
  ...Object.entries(GIT_COMMANDS).flatMap(([name, spec]) => basesOf(`git ${name}`, spec)),
  { before: "git", after: "status", spec: GIT_GLOBAL },
];
const HARMFUL = BASES.flatMap((base) =>
  [...compileSpec(base.spec).table.values()].filter(({ kind }) => isHarmful(kind)).map((option) => ({ base, option })),
);

/** The tokens in which a program accepts the option. */
function spellingsOf({ base, option }: { base: Base; option: Option }): fc.Arbitrary<string[]> {
  const value = fc.constantFrom("cat", "./x", "|touch x", "/tmp/f", "a b");
  const flags = [...compileSpec(base.spec).table.values()].filter(
    (each) => each.value === "none" && !isHarmful(each.kind),
  );
  const letters = flags.flatMap(({ name }) => (/^-[A-Za-z]$/.test(name) ? [name.slice(1)] : []));
  const names = option.name.startsWith("--")
    ? fc
        .integer({ min: Math.min(4, option.name.length), max: option.name.length })
        .map((end) => option.name.slice(0, end))
        .filter((name) => name === option.name || !compileSpec(base.spec).table.has(name))
    : option.name.length > 2 || letters.length === 0
      ? fc.constant(option.name)
      : fc
          .array(fc.constantFrom(...letters), { maxLength: 3 })
          .map((before) => `-${before.join("")}${option.name.slice(1)}`);
  return fc.tuple(names, value, fc.constantFrom("attached", "separate")).map(([name, text, form]) => {
    if (option.value === "none") return [name];
    if (form === "separate" && option.value === "required") return [name, text];
    if (option.value === "optional" && form === "separate") return [name];
    return [name.startsWith("--") ? `${name}=${text}` : `${name}${text}`];
  });
}

const QUOTES: ((word: string) => string)[] = [
  (word) => word.replace(/[ |;]/g, "\\$&"),
  (word) => `'${word}'`,
  (word) => `"${word}"`,
  (word) => `$'${word}'`,
  (word) => `$'${[...word].map((char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`,
  (word) => `${word[0]}"${word.slice(1)}"`,
  (word) => [...word].map((char) => `\\${char}`).join(""),
  (word) => `"${word.slice(0, 2)}"'${word.slice(2)}'`,
  (word) => `""${word.replace(/[ |;]/g, "\\$&")}`,
  (word) => `{'${word}',a}`,
  (word) => `$(echo '${word}')`,
  (word) => `"$(echo '${word}')"`,
];

describe("spellings of options", () => {
  it("has harmful options of many programs to try", () => {
    expect(HARMFUL.length).toBeGreaterThan(150);
    expect(new Set(HARMFUL.map(({ base }) => base.before)).size).toBeGreaterThan(35);
  });

  it("accepts each call without the harmful option, so that the option is what is refused", () => {
    const plain = new Set(HARMFUL.map(({ base }) => `${base.before} ${base.after}`));
    const refused = [...plain].filter((command) => worst(command) !== "bash.readonly");
    // These need an option to read.
    expect(refused).toEqual(
      refused.filter((command) =>
        /^(git (clean|stash|branch|tag|config|symbolic-ref)|unset|read|tsc|brew|hash|hostname)/.test(command),
      ),
    );
  });

  it("never counts a harmful option as reading, however it is spelled", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...HARMFUL).chain((each) => fc.tuple(fc.constant(each.base), spellingsOf(each))),
        fc.constantFrom(...QUOTES),
        fc.boolean(),
        (([base, tokens], quote, last) => {
          const spelled = tokens.map(quote).join(" ");
          const stops = base.before === "git" || base.spec.stopsAtOperand;
          const command =
            last && !stops ? `${base.before} ${base.after} ${spelled}` : `${base.before} ${spelled} ${base.after}`;
          expect(worst(command), command).not.toBe("bash.readonly");
        }) as (args: [Base, string[]], quote: (word: string) => string, last: boolean) => void,
      ),
      { numRuns: 1200 },
    );
  });

  it("never counts an unlisted option as reading", () => {
    const letters = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ%=@"];
    fc.assert(
      fc.property(
        fc.constantFrom(...BASES.filter(({ before }) => !/^(:|true|false|pip3?)$/.test(before))),
        fc.oneof(
          fc.stringMatching(/^--[a-z]{2,12}(-[a-z]{2,8})?(=x)?$/),
          fc.constantFrom(...letters).map((letter) => `-${letter}`),
        ),
        (base, option) => {
          const { table, singleDash } = compileSpec(base.spec);
          const name = option.split("=")[0]!;
          const listed = [...table.keys()].some(
            (each) => each === name || (each.startsWith(name) && name.startsWith("--")),
          );
          fc.pre(!listed && !singleDash);
          expect(worst(`${base.before} ${option} ${base.after}`), `${base.before} ${option}`).not.toBe("bash.readonly");
        },
      ),
      { numRuns: 1200 },
    );
  });

  it("does not let a pattern or an unknown word become an option of a program that has harmful ones", () => {
    for (const { base } of HARMFUL.filter(({ base: { before } }) => !/^(git|printf|hash|awk|gawk|mawk)/.test(before)))
      for (const word of ["*", "?x", "[-]o", "$x", '"$x"', "$(cat f)", "`cat f`", "{'-o',x}", "$@"])
        expect(worst(`${base.before} ${word}`), `${base.before} ${word}`).not.toBe("bash.readonly");
    for (const command of ["sort ./*.txt", "sort -- *.txt", "rg foo -- *", "cat *", "grep foo *", "wc -l *"])
      expect(worst(command), command).toBe("bash.readonly");
  });
});
