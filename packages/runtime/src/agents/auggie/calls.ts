import { type Fields, fields, text, without } from "../fields.ts";

const RESULTS =
  /^Here are the results from executing the command\.\n<return-code>\n(?<exit>-?\d+)\n<\/return-code>\n<output>\n(?<output>[\s\S]*?)\n?<\/output>\s*$/;

/** A tool call as the others would tell it: what a command printed and how it ended, out of the text that holds both. */
export function calls(call: Fields): Fields {
  const { exit, output } = RESULTS.exec(text(fields(call.rawOutput).output) ?? "")?.groups ?? {};
  if (exit === undefined) return call;
  return { ...without(call, "content"), rawOutput: { output, exitCode: Number(exit) } };
}
