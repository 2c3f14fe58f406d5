import { text } from "node:stream/consumers";
import { GantryError, type SavedPrompt } from "@gantry/protocol";
import { firstLine, formatAge, renderTable, stripControls } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";

type NoFlags = Record<never, never>;

export async function list(this: Context): Promise<void> {
  const { output } = this;
  const { prompts } = await (await connect(this)).call("listSavedPrompts", {});
  if (output.json) return output.data({ prompts });
  if (prompts.length === 0) return output.print('No saved prompts. Save one: gantry prompts save <name> "text"');
  const now = Date.now();
  const rows = prompts.map(({ name, text: whole, updatedAt }) => [
    output.paint.bold(name),
    firstLine(stripControls(whole)),
    output.paint.dim(formatAge(updatedAt, now)),
  ]);
  const columns = [{ title: "NAME" }, { title: "TEXT", shrink: true }, { title: "AGE" }];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}

export async function show(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const found = await find(this, name);
  if (this.output.json) return this.output.data(found);
  this.output.print(found.text);
}

export async function save(this: Context, _flags: NoFlags, name: string, ...parts: string[]): Promise<void> {
  const given = parts.length > 0 ? parts.join(" ") : await text(process.stdin);
  if (given.trim() === "") throw usageError("The prompt is empty.", 'gantry prompts save <name> "text"');
  const client = await connect(this);
  const saved = await client.call("putSavedPrompt", { params: { name }, body: { text: given } });
  if (this.output.json) return this.output.data(saved);
  this.output.print(`Saved ${saved.name}.`);
}

export async function rm(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const client = await connect(this);
  const result = await client.call("deleteSavedPrompt", { params: { name } });
  if (this.output.json) return this.output.data(result);
  this.output.print(`Deleted ${name}.`);
}

async function find(context: Context, name: string): Promise<SavedPrompt> {
  const { prompts } = await (await connect(context)).call("listSavedPrompts", {});
  const found = prompts.find((prompt) => prompt.name === name);
  if (found) return found;
  throw new GantryError("no_such_prompt", `There is no saved prompt ${name}.`, { remedy: "See `gantry prompts`." });
}
