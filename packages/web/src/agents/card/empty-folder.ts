import { client } from "../../store/connection/client.ts";

/**
 * Runs `work` with an empty temporary folder on the daemon's machine and removes the folder afterwards. The folder is
 * created through a terminal, because there is no route for it. Rejects if `work` rejects or the folder cannot be created.
 */
export async function withEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = (await runCommand(["mktemp", "-d", "-t", "gantry-doctor-XXXXXX"])).trim();
  if (!folder.startsWith("/")) throw new Error(`Could not create a temporary folder: ${folder || "no output"}`);
  try {
    return await work(folder);
  } finally {
    await runCommand(["rm", "-rf", "--", folder]).catch(() => undefined);
  }
}

/** Runs a command to its end and returns its output. */
async function runCommand(command: string[]): Promise<string> {
  const { id } = await client.terminals.open({ command, cols: 1000 });
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const frame of client.terminals.follow(id))
      if ("output" in frame) text += decoder.decode(frame.output, { stream: true });
  } finally {
    await client.terminals.close(id).catch(() => undefined);
  }
  return text;
}
