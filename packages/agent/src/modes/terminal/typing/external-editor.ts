import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The text after the user has changed it in `$VISUAL` or `$EDITOR`. Rejects in words if there is none or it failed. */
export async function editInExternalEditor(text: string, env: Record<string, string | undefined>): Promise<string> {
  const editor = env.VISUAL || env.EDITOR;
  if (!editor) throw new Error("No editor is known. Set EDITOR.");
  const folder = mkdtempSync(join(tmpdir(), "gantry-edit-"));
  const file = join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    // The variable may hold arguments too, which are a shell's to take apart.
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit", env });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", resolve);
    });
    if (code !== 0) throw new Error(`The editor ended with ${code}; the text is as it was.`);
    return readFileSync(file, "utf8").replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
