import { text } from "node:stream/consumers";
import { usageError } from "../program/errors.ts";

/** The text of a message: the arguments, or stdin for `-` and for a pipe without arguments. */
export async function promptText(args: readonly string[], stdin: NodeJS.ReadableStream): Promise<string> {
  const fromStdin = args.length === 1 && args[0] === "-";
  const piped = args.length === 0 && (stdin as NodeJS.ReadStream).isTTY !== true;
  const prompt = fromStdin || piped ? await text(stdin) : args.join(" ");
  if (prompt.trim() !== "") return prompt;
  throw usageError("The message is empty.", "Give the text as an argument, or `-` to read it from stdin.");
}
