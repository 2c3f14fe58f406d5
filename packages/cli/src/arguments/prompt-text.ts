import { text } from "node:stream/consumers";
import { usageError } from "../program/errors.ts";

/** The text of a message: the words of the command line, or stdin for `-` and for a pipe without words. */
export async function promptText(words: readonly string[], stdin: NodeJS.ReadableStream): Promise<string> {
  const fromStdin = words.length === 1 && words[0] === "-";
  const piped = words.length === 0 && (stdin as NodeJS.ReadStream).isTTY !== true;
  const prompt = fromStdin || piped ? await text(stdin) : words.join(" ");
  if (prompt.trim() !== "") return prompt;
  throw usageError("There is nothing to send.", "Give the text as an argument, or `-` to read it from stdin.");
}
