import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Lets the user edit the text in `$VISUAL` or `$EDITOR`. Rejects if there is no editor or it failed. */
export async function editInExternalEditor(text: string, env: Record<string, string | undefined>): Promise<string> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) throw new Error("No editor is configured. Set EDITOR.");
  const folder = mkdtempSync(join(tmpdir(), "gantry-edit-"));
  const file = join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // The variable may contain arguments, so a shell must split it.
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (code !== 0) throw new Error(`The editor exited with ${code}. The text was not changed.`);
    return readFileSync(file, "utf8").replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
