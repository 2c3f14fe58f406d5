import type { FileChange, ToolKind } from "@gantry/protocol";
import { compact, type Fields, fields, list, nonBlank, number, parseFields, text, texts } from "../../fields.ts";
import type { Call, CallEnd } from "../../json-lines/calls.ts";
import { exitCodeIn } from "../../json-lines/reading/tools.ts";
import { legacyChanges, patchChanges } from "../wire/changes.ts";
import { unwrapShell } from "../wire/shell.ts";

const SHELLS = ["exec_command", "shell", "shell_command", "local_shell", "container.exec", "unified_exec"];

/** The call, from its arguments. */
export function callOf(item: Fields): Call {
  if (item.type === "web_search_call") return { name: "web_search", input: item.action, kind: "search" };
  const name = nonBlank(item.name) ?? "local_shell";
  if (name === "apply_patch") return patchCall(text(item.input) ?? text(parseFields(text(item.arguments)).input) ?? "");
  const given = item.type === "local_shell_call" ? fields(item.action) : parseFields(text(item.arguments));
  const input = item.type === "custom_tool_call" ? { input: item.input } : given;
  if (!SHELLS.includes(name)) return { name, input };
  const command = shellCommand(given);
  return {
    name: "shell",
    kind: "execute",
    title: command.split("\n")[0]?.slice(0, 120) || "Command",
    input: compact({ command, cwd: nonBlank(given.workdir) }),
  };
}

function shellCommand(given: Fields): string {
  const listed = texts(given.command);
  if (listed.length > 0) return listed.length === 3 ? (listed[2] ?? "") : listed.join(" ");
  return unwrapShell(nonBlank(given.cmd) ?? nonBlank(given.command) ?? nonBlank(given.script) ?? "");
}

function patchCall(patch: string): Call {
  const files = [...patch.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)].map(([, verb = "", path = ""]) => ({
    verb: verb === "Update" ? "Edit" : verb,
    path,
  }));
  const [only] = files;
  return {
    name: "apply_patch",
    kind: "edit",
    title: files.length === 1 && only ? `${only.verb} ${only.path}` : `Edit ${files.length} files`,
    input: { patch },
    ...(files.length > 0 ? { locations: files.map(({ path }) => ({ path })) } : {}),
  };
}

/** The end of a call from the model's input: text, or older JSON with the exit code next to the output. */
export function callEnd(kind: ToolKind, output: unknown): CallEnd {
  const printedOutput = typeof output === "string" ? output : outputText(output);
  const document = parseFields(printedOutput);
  const printed = text(document.output) ?? afterHeader(printedOutput);
  const shell = kind === "execute";
  const exitCode =
    shell || kind === "edit"
      ? (number(fields(document.metadata).exit_code) ?? exitCodeIn(header(printedOutput)))
      : undefined;
  const aborted = /aborted by user/.test(printedOutput);
  const refused = /rejected by user|denied by|approval (was )?denied/i.test(printedOutput);
  const failed = (exitCode ?? 0) !== 0 || /^(unsupported call|failed to parse|error:)/i.test(printedOutput);
  const status = aborted ? "interrupted" : refused ? "denied" : failed ? "error" : "ok";
  return compact({ status, output: printed, exitCode: shell ? exitCode : undefined } as const);
}

/** The header lines before the output. */
function header(output: string): string {
  const at = output.indexOf("\nOutput:\n");
  return at < 0 ? "" : output.slice(0, at).replace("Process exited", "exited");
}

function afterHeader(output: string): string {
  const at = output.indexOf("\nOutput:\n");
  return at < 0 ? output : output.slice(at + "\nOutput:\n".length);
}

function outputText(output: unknown): string {
  const content = Array.isArray(output) ? output : list(fields(output).content);
  return content.map((part) => text(fields(part).text) ?? `[${text(fields(part).type) ?? "part"}]`).join("\n");
}

/** The end of a call from the conversation log, with all details. */
export function itemEnd(item: Fields): CallEnd {
  const exitCode = number(item.exit_code);
  const declined = item.status === "declined";
  const failed = item.status === "failed" || (exitCode ?? 0) !== 0;
  return compact({
    status: declined ? "denied" : failed ? "error" : "ok",
    output: text(item.aggregated_output) ?? nonBlank(item.stderr) ?? nonBlank(item.stdout) ?? resultText(item.result),
    exitCode,
    durationMs: milliseconds(fields(item.duration)),
    changes: declined || failed ? undefined : changesOf(item.changes),
  } as const);
}

function changesOf(changes: unknown): FileChange[] | undefined {
  if (changes === undefined) return undefined;
  return Array.isArray(changes) ? patchChanges(changes) : legacyChanges(changes);
}

function resultText(result: unknown): string | undefined {
  const content = list(fields(fields(result).Ok ?? result).content);
  return content.length > 0 ? outputText(content) : undefined;
}

function milliseconds({ secs, nanos }: Fields): number | undefined {
  if (number(secs) === undefined) return undefined;
  return Math.round(Number(secs) * 1000 + (number(nanos) ?? 0) / 1e6);
}
