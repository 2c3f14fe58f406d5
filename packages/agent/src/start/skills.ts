import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isInside, listEntries, readRegularText, realPath } from "@gantry/trust";
import type { UrlHandler } from "../contract/tool.ts";
import { ToolError } from "../contract/tool.ts";
import { readFront } from "../rules/frontmatter.ts";

type Skill = { name: string; description: string; folder: string };

/** Skills: folders with a `SKILL.md`. The model gets their names and reads a skill when it needs it. */
export type Skills = {
  prompt: string | undefined;
  urls: UrlHandler | undefined;
  /** Each skill as a slash command, `/skill:name`. */
  commands: { name: string; description: string; source: "skill"; path: string }[];
  /** The user's message with `/skill:name` replaced by the skill's content. */
  expand(text: string): string;
};

/** Where skills are. The first folder takes precedence. */
export function skillFolders(cwd: string, agentDir: string, more: readonly string[] = []): string[] {
  return [...more, join(cwd, ".gantry", "skills"), join(agentDir, "skills")];
}

/** Reads the skills of these folders. The first skill of a name wins. Missing folders are ignored, and a skill that cannot be read is reported. */
export async function readSkills(folders: readonly string[], problems: string[]): Promise<Skills> {
  const skills = new Map<string, Skill>();
  for (const skill of (await Promise.all(folders.map((folder) => skillsIn(folder, problems)))).flat()) {
    if (!skills.has(skill.name)) skills.set(skill.name, skill);
  }
  if (skills.size === 0) return { prompt: undefined, urls: undefined, commands: [], expand: (text) => text };
  const lines = [...skills.values()].map(({ name, description }) => `- skill://${name}: ${description}`);
  return {
    prompt: ["# Skills", "Read the one that fits before you begin such work.", ...lines].join("\n"),
    urls: {
      description: "How to do certain kinds of work.",
      read: async (url) => ({ text: readSkill(skills, url), contentType: "text/markdown" }),
    },
    commands: [...skills.values()].map(({ name, description, folder }) => ({
      name: `skill:${name}`,
      description,
      source: "skill",
      path: join(folder, "SKILL.md"),
    })),
    expand: (text) => expandSkill(skills, text),
  };
}

function expandSkill(skills: ReadonlyMap<string, Skill>, text: string): string {
  const [whole, name = "", rest = ""] = /^\/skill:(\S+)\s*([\s\S]*)$/.exec(text) ?? [];
  if (whole === undefined || !skills.has(name)) return text;
  const skill = `<skill name="${name}" location="skill://${name}">\n${readSkill(skills, `skill://${name}`)}\n</skill>`;
  return rest === "" ? skill : `${skill}\n\n${rest}`;
}

async function skillsIn(folder: string, problems: string[]): Promise<Skill[]> {
  const names = listEntries(folder).map(({ path }) => path);
  const found = names.sort().map(async (name): Promise<Skill[]> => {
    const file = join(folder, name, "SKILL.md");
    if (!existsSync(file)) return [];
    try {
      const { description } = (await readFront(file, readFile(join(folder, name), file))).fields;
      const shown = typeof description === "string" ? description : name;
      return [{ name, folder: join(folder, name), description: shown }];
    } catch (error) {
      problems.push(`The skill ${file} is not used: ${(error as Error).message}`);
      return [];
    }
  });
  return (await Promise.all(found)).flat();
}

/** A link must not lead out of the skill's folder: the text reaches the model without a question. */
function readFile(folder: string, file: string): string {
  if (!isInside(realPath(file), realPath(folder))) throw new Error(`${file} is a link out of the skill's folder.`);
  return readRegularText(file);
}

/** `skill://name` or `skill://name/path`, and nothing outside of the skill's folder. */
function readSkill(skills: ReadonlyMap<string, Skill>, url: string): string {
  const [name = "", ...path] = url.slice("skill://".length).split("/");
  const skill = skills.get(name);
  if (!skill) throw new ToolError(`There is no skill ${name}. Known skills: ${[...skills.keys()].join(", ")}.`);
  const file = resolve(skill.folder, path.join("/") || "SKILL.md");
  if (relative(skill.folder, file).startsWith("..")) throw new ToolError(`${url} is outside of the skill.`);
  try {
    return readFile(skill.folder, file);
  } catch {
    throw new ToolError(`There is no ${url}.`);
  }
}
