import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why the user's editor gave no text. `message` is the problem and the remedy. */
export class EditorError extends Error {
  override name = "EditorError";
  readonly problem: string;
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(`${problem} ${remedy}`);
    this.problem = problem;
    this.remedy = remedy;
  }
}

type Environment = Record<string, string | undefined>;

/** The user's editor, possibly with arguments. */
export function configuredEditor(env: Environment): string | undefined {
  return env.VISUAL || env.EDITOR || undefined;
}

/**
 * Opens a file in `$VISUAL` or `$EDITOR`. The editor owns the terminal until it exits. Throws `EditorError` if none is
 * configured or if it fails.
 */
export async function editFile(file: string, env: Environment): Promise<void> {
  const editor = configuredEditor(env);
  if (!editor) throw new EditorError("No editor is configured.", "Set EDITOR.");
  // The variable may contain arguments, so a shell must split it.
  const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
  if (code !== 0) throw new EditorError(`The editor exited with ${code}.`, "Check the value of EDITOR and try again.");
}

/** Opens a text in the user's editor and returns it without the final line end. Throws `EditorError` like `editFile`. */
export async function editText(text: string, env: Environment): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "gantry-edit-"));
  const file = join(folder, "text.md");
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    await editFile(file, env);
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
