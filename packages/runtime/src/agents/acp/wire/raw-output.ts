import { type Fields, fields, list, nonBlank, number, text, wholeNumber } from "../../fields.ts";

/** What a tool returned, as far as its `rawOutput` has a shape that is known. */
export type RawOutput = { text?: string; exitCode?: number; durationMs?: number };

/** Every agent has its own shape; they agree on few words. */
export function readRawOutput(value: unknown): RawOutput {
  if (typeof value === "string") return { text: value };
  const output = fields(value);
  const details = fields(output.details);
  const said =
    text(output.output) ??
    joined(output.content) ??
    text(output.text) ??
    printed(output) ??
    nonBlank(output.error) ??
    nonBlank(output.message);
  const exitCode = exitOf(output) ?? exitOf(details) ?? exitOf(fields(output.metadata)) ?? exitIn(output.contents);
  const durationMs = number(details.wallTimeMs);
  return {
    ...(said === undefined ? {} : { text: said }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
  };
}

/** What a command printed, in a text that holds other remarks as well. */
export function readPrinted(pattern: RegExp | undefined, said: string | undefined): RawOutput {
  const found = pattern?.exec(said ?? "")?.groups;
  if (!found) return {};
  const exitCode = found.exit === undefined ? undefined : Number(found.exit);
  return { text: found.output ?? "", ...(exitCode === undefined ? {} : { exitCode }) };
}

/** Both streams of a command, where they are told apart. */
function printed({ stdout, stderr }: Fields): string | undefined {
  if (typeof stdout !== "string" && typeof stderr !== "string") return undefined;
  return [text(stdout), text(stderr)].filter(Boolean).join("\n");
}

function joined(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  return content
    .map((entry) => text(fields(entry).text))
    .filter((entry) => entry !== undefined)
    .join("\n");
}

function exitOf(output: Fields): number | undefined {
  return wholeNumber(output.exitCode ?? output.exit_code ?? output.exit);
}

function exitIn(contents: unknown): number | undefined {
  return list(contents)
    .map((entry) => exitOf(fields(entry)))
    .find((code) => code !== undefined);
}
