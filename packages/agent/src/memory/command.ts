import type { Memory } from "./port.ts";

const USAGE =
  "/memory view shows the notes, /memory clear deletes them, /memory enqueue merges them at the next start.";

/** Runs `/memory <what>` and returns the text to print. Throws for an unknown word. */
export async function runMemoryCommand(memory: Memory, what: string): Promise<string> {
  switch (what) {
    case "":
    case "view":
      return memory.view();
    case "clear":
    case "reset":
      await memory.clear();
      return "All notes from earlier sessions of this folder were deleted. This session keeps the notes it began with.";
    case "enqueue":
    case "rebuild":
      return (await memory.enqueue())
        ? "The notes are merged again at the next start."
        : "Memory is off, so nothing was queued. Set memories.enabled in config.yml to turn it on.";
    default:
      throw new Error(`There is no /memory ${what}. ${USAGE}`);
  }
}
