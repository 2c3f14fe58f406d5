import { type Fields, fields, isFields, list, nonBlank, number, text, wholeNumber } from "../../fields.ts";

/** A tool's result, read from the known shapes of `rawOutput`. */
export type RawOutput = { text?: string; exitCode?: number; durationMs?: number };

/** Every agent has its own shape. */
export function readRawOutput(value: unknown): RawOutput {
  if (typeof value === "string") return { text: value };
  if (!isFields(value)) return {};
  const output = value;
  const details = fields(output.details);
  const printedText =
    text(output.output) ??
    joinContent(output.content) ??
    text(output.text) ??
    joinStreams(output) ??
    nonBlank(output.error) ??
    nonBlank(output.message);
  const exitCode = exitOf(output) ?? exitOf(details) ?? exitOf(fields(output.metadata)) ?? exitIn(output.contents);
  const durationMs = number(details.wallTimeMs);
  return {
    ...(printedText === undefined ? {} : { text: printedText }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(durationMs === undefined ? {} : { durationMs: Math.round(durationMs) }),
  };
}

/** The command's output, extracted from a text with other remarks. */
export function readPrinted(pattern: RegExp, content: string | undefined): RawOutput {
  const found = pattern.exec(content ?? "")?.groups;
  if (!found) return {};
  const exitCode = found.exit === undefined ? undefined : Number(found.exit);
  return {
    ...("output" in found ? { text: found.output ?? "" } : {}),
    ...(exitCode === undefined ? {} : { exitCode }),
  };
}

/** Both streams of a command, if separate. */
function joinStreams({ stdout, stderr }: Fields): string | undefined {
  if (typeof stdout !== "string" && typeof stderr !== "string") return undefined;
  return [text(stdout), text(stderr)].filter(Boolean).join("\n");
}

function joinContent(content: unknown): string | undefined {
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
