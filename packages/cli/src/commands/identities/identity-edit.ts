import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { MemoryName } from "@gantry/protocol";
import { configuredEditor, editFile, homePath } from "@gantry/terminal";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { rethrowEditorError, usageError } from "../../program/errors.ts";

export type EditFlags = { persona: boolean; memory?: string };

/** Opens a file of an identity in the user's editor, then prints its problems. Without an editor, prints the path. */
export async function edit(this: Context, flags: EditFlags, name: string): Promise<void> {
  const { output, env } = this;
  const client = await connect(this);
  const { identities, broken } = await client.identities.list();
  const row = identities.find((one) => one.name === name);
  const folder = row?.folder ?? dirname(broken.find((one) => one.name === name)?.path ?? "");
  if (!folder || folder === ".") throw usageError(`There is no identity ${name}.`, "gantry identity ls");
  const path = join(folder, fileOf(flags));
  if (!output.interactive || !configuredEditor(env)) return printPath(this, name, path);
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  await editFile(path, env).catch((error: unknown) =>
    rethrowEditorError(error, `Gantry did not check ${homePath(path)}.`),
  );
  await client.identities.get(name);
  output.print(`${name}: ${homePath(path)}`);
}

function printPath({ output }: Context, name: string, path: string): void {
  if (output.json) return output.data({ name, path });
  output.print(path);
}

function fileOf({ persona, memory }: EditFlags): string {
  if (persona && memory !== undefined) throw usageError("Give --persona or --memory, not both.");
  if (persona) return "persona.md";
  if (memory === undefined) return "identity.yml";
  const file = memory.endsWith(".md") ? memory : `${memory}.md`;
  if (!MemoryName.safeParse(file).success)
    throw usageError(`${memory} is not a valid name for a memory file.`, "notes.md");
  return join("memory", file);
}
