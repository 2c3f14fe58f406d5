import { type Fields, fields, text, withoutKey } from "../fields.ts";

const RESULTS =
  /^Here are the results from executing the command\.\n<return-code>\n(?<exit>-?\d+)\n<\/return-code>\n<output>\n(?<output>[\s\S]*?)\n?<\/output>\s*$/;

/** Normalises a tool call: splits a command's output and exit code out of one text. */
export function calls(call: Fields): Fields {
  const { exit, output } = RESULTS.exec(text(fields(call.rawOutput).output) ?? "")?.groups ?? {};
  if (exit === undefined) return call;
  return { ...withoutKey(call, "content"), rawOutput: { output, exitCode: Number(exit) } };
}
