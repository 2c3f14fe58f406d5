import { client } from "../../store/client.ts";

/**
 * Runs `work` with an empty folder of the daemon's machine, and removes it afterwards. A page cannot make folders; the
 * daemon's terminals can. Rejects with what `work` rejects with, or when there is no folder to be had.
 */
export async function withEmptyFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = (await printed(["mktemp", "-d", "-t", "gantry-doctor-XXXXXX"])).trim();
  if (!folder.startsWith("/")) throw new Error(`An empty folder could not be made: ${folder || "no answer"}`);
  try {
    return await work(folder);
  } finally {
    await printed(["rm", "-rf", "--", folder]).catch(() => undefined);
  }
}

/** What a command prints until it ends. */
async function printed(command: string[]): Promise<string> {
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
