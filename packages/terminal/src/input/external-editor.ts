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

/**
 * Opens a text in `$VISUAL` or `$EDITOR` and returns the edited text without the final line end. The editor owns the
 * terminal until it exits. Throws `EditorError` if none is configured or if it fails.
 */
export async function editText(text: string, env: Record<string, string | undefined>): Promise<string> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) throw new EditorError("No editor is configured.", "Set EDITOR.");
  const folder = mkdtempSync(join(tmpdir(), "gantry-edit-"));
  const file = join(folder, "text.md");
  try {
    writeFileSync(file, `${text}\n`, { mode: 0o600 });
    // The variable may contain arguments, so a shell must split it.
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (code !== 0) throw new EditorError(`The editor exited with ${code}.`, "The text was not changed.");
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
