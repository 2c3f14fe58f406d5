import { spawn } from "node:child_process";
import type { Context } from "../program/context.ts";
import { environmentError } from "../program/errors.ts";

/** Opens a file in the user's editor and resolves when that has ended well. Throws `CommandError` otherwise. */
export async function edited({ env }: Context, file: string): Promise<void> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) throw environmentError("editor", "no editor is known", "Set EDITOR.");
  // The variable may hold arguments too, which are a shell's to take apart.
  const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], {
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw environmentError("editor", `the editor ended with ${code}`, "Nothing was handed over.");
}
