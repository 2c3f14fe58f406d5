import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { homePath, renderTable } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { problemLines } from "../doctor/render.ts";

type NoFlags = Record<never, never>;

/** Skills for all agents, and what is wrong with the others. */
export async function list(this: Context): Promise<void> {
  const { output } = this;
  const { paint } = output;
  const client = await connect(this);
  const { skills, problems } = await client.skills.list();
  if (output.json) return output.data({ skills, problems });
  if (skills.length === 0) output.print("No skills. Add one: gantry skills add <folder>");
  else {
    const rows = skills.map(({ name, description, path }) => [
      paint.bold(name),
      description,
      paint.dim(homePath(path)),
    ]);
    const columns = [{ title: "NAME" }, { title: "PURPOSE", shrink: true }, { title: "FOLDER" }];
    output.print(renderTable(columns, rows, { header: paint.dim, width: output.width?.() }));
  }
  for (const problem of problems) output.print(problemLines(problem, paint, output.width?.()));
}

/** Links a folder under the name that its SKILL.md gives it. */
export async function add(this: Context, _flags: NoFlags, folder: string): Promise<void> {
  const path = resolve(folder);
  const name = nameOf(path);
  const client = await connect(this);
  const skill = await client.skills.put(name, path);
  if (this.output.json) return this.output.data(skill);
  this.output.print(`${skill.name}: ${skill.description}`);
  this.output.print(this.output.paint.dim("Agents get it from their next start on."));
}

export async function remove(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const done = await client.skills.delete(name);
  if (this.output.json) return this.output.data(done);
  this.output.print(`removed: ${name}`);
}

/** The name in the head of the file; the daemon checks the rest. */
function nameOf(folder: string): string {
  try {
    const head = /^---\r?\n([\s\S]*?)\r?\n---/.exec(readFileSync(join(folder, "SKILL.md"), "utf8"))?.[1] ?? "";
    return /^name:\s*["']?([^"'\r\n#]+?)["']?\s*$/m.exec(head)?.[1] ?? basename(folder);
  } catch (error) {
    throw usageError(`${folder} has no readable SKILL.md: ${(error as Error).message}`);
  }
}
