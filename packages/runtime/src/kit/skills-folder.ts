import { lstatSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { GantryError, KitName, type Problem, type SkillRow } from "@gantry/protocol";
import { z } from "zod";
import { parseYaml } from "../config.ts";

const FILE = "SKILL.md";
const LONGEST = 1024 * 1024;

/** The head of a `SKILL.md` in the open Agent Skills format. What else may stand there is for the agents to know. */
const Head = z.looseObject({ name: KitName, description: z.string().trim().min(1).max(1024) });

/** The valid skills of the folder by name, and the problems of the others. Never throws. */
export function readSkills(folder: string): { skills: SkillRow[]; problems: Problem[] } {
  const found = namesIn(folder).map((name) => {
    try {
      return { skill: readSkill(join(folder, name)) };
    } catch (error) {
      return { problem: unusableSkillProblem(name, (error as Error).message, join(folder, name)) };
    }
  });
  return {
    skills: found.flatMap(({ skill }) => skill ?? []),
    problems: found.flatMap(({ problem }) => problem ?? []),
  };
}

/** Makes the folder at `path` known under its name. Throws `invalid` and `conflict`. */
export function linkSkill(folder: string, name: string, path: string): SkillRow {
  if (!isAbsolute(path)) throw new GantryError("invalid", "path: must be absolute.");
  const target = realPath(path);
  if (!target) throw new GantryError("invalid", `${path} does not exist.`);
  const skill = headOf(target);
  if (typeof skill === "string") throw new GantryError("invalid", `${path} holds no skill: ${skill}.`);
  if (skill.name !== name)
    throw new GantryError("invalid", `The skill in ${path} is called ${skill.name}, not ${name}.`);
  const link = join(folder, name);
  const there = kindOf(link);
  if (there === "own") throw new GantryError("conflict", `${link} already exists and is not a link.`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (there === "link") rmSync(link);
  symlinkSync(target, link);
  return { ...skill, path: target, linked: true };
}

/** Removes the link; the folder that it points to stays. Throws `no_such_skill` and `conflict`. */
export function unlinkSkill(folder: string, name: string): void {
  const link = join(folder, name);
  const there = kindOf(link);
  if (there === undefined) throw new GantryError("no_such_skill", `There is no skill \`${name}\`.`);
  if (there === "own")
    throw new GantryError("conflict", `The skill ${name} lies in ${link} itself, so that removing it would lose it.`, {
      remedy: `Move the folder away, or delete it: rm -r ${link}`,
    });
  rmSync(link);
}

/** Throws with a reason for people. */
function readSkill(path: string): SkillRow {
  const real = realPath(path);
  if (!real) throw new Error("it points to a folder that does not exist");
  const head = headOf(real);
  if (typeof head === "string") throw new Error(head);
  if (head.name !== basename(path)) throw new Error(`its ${FILE} is called ${head.name}; both names must be the same`);
  return { ...head, path: real, linked: kindOf(path) === "link" };
}

/** The skill's name and description, or why they cannot be read. */
function headOf(folder: string): { name: string; description: string } | string {
  const path = join(folder, FILE);
  try {
    const text = readFileSync(path, "utf8");
    if (text.length > LONGEST) return `its ${FILE} is larger than 1 MB`;
    const [, head] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---[ \t]*(\r?\n|$)/.exec(text) ?? [];
    if (head === undefined) return `its ${FILE} does not begin with name and description between two lines of ---`;
    // The line of the dashes counts.
    const { name, description } = parseYaml(path, `\n${head}`, Head);
    return { name, description };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? `it has no ${FILE}` : (error as Error).message;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => !name.startsWith("."))
      .sort();
  } catch {
    return [];
  }
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

function kindOf(path: string): "own" | "link" | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? "link" : "own";
  } catch {
    return undefined;
  }
}

function unusableSkillProblem(name: string, reason: string, path: string): Problem {
  return {
    code: "bad_skill",
    message: `The skill ${name} cannot be used: ${reason}.`,
    fix: `Correct ${path}/${FILE}, or take the folder away.`,
  };
}
