import { createWriteStream, existsSync, rmSync } from "node:fs";
import { extname, resolve } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { type ExportFormat, exportFormats } from "@gantry/protocol";
import { formatBytes } from "@gantry/terminal";
import { resolveSession } from "../../arguments/resolve.ts";
import { connect } from "../../daemon/connect.ts";
import type { Context } from "../../program/context.ts";
import { CommandError, usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { countBytes } from "../../program/progress.ts";

export type ExportFlags = { output?: string; format?: ExportFormat; redact: boolean };

/** Writes a session to a file, or to stdout. */
export default async function exportSession(this: Context, flags: ExportFlags, name: string): Promise<void> {
  const { output } = this;
  const format = flags.format ?? formatOf(flags.output) ?? "gantry";
  const toStdout = flags.output === "-";
  if (toStdout && output.json)
    throw usageError("The file and --json cannot both go to stdout.", "Leave one of them out.");
  const client = await connect(this);
  const session = await resolveSession(client, name);
  const response = await client.imports.exported(session.id, format, flags.redact);
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  if (toStdout) {
    for await (const piece of body) output.streams.output.write(piece);
    return;
  }
  const path = resolve(flags.output ?? fileName(session.title, format));
  const isNew = !existsSync(path);
  const progress = countBytes(output, "exported");
  try {
    await pipeline(body, progress.through, createWriteStream(path, { mode: 0o600 }));
  } catch (error) {
    if (isNew) rmSync(path, { force: true });
    const remedy = "Check that the folder is there and has room, then export it again.";
    throw new CommandError(
      exitCodes.environment,
      "export_failed",
      `${path} could not be written in full: ${(error as Error).message}.`,
      { remedy },
    );
  } finally {
    progress.end();
  }
  const size = progress.bytes();
  if (output.json) return output.data({ path, format, bytes: size, session: session.id, redacted: flags.redact });
  output.print(`${path} ${output.paint.dim(`(${formatBytes(size)}${flags.redact ? ", redacted" : ""})`)}`);
}

function formatOf(path: string | undefined): ExportFormat | undefined {
  const ending = path === undefined ? "" : extname(path).slice(1).toLowerCase();
  if (ending === "htm") return "html";
  if (ending === "markdown") return "md";
  return exportFormats.find((format) => format === ending);
}

/** After the title, in letters that every file system takes. */
function fileName(title: string, format: ExportFormat): string {
  const slug = title
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 48);
  return `${slug || "session"}.${format}`;
}
