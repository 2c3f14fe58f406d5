import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { readRegularFile } from "@gantry/trust";
import type { Diagnostic, Location, LocationLink } from "vscode-languageserver-types";
import { SEVERITIES, SYMBOL_KINDS, type SymbolNode } from "./protocol.ts";

// Renders responses of servers as lines for the model. Places are `path:line:column`, counted from one.

export function showDiagnostics(path: string, found: readonly Diagnostic[], server: string): string[] {
  const sorted = [...found].sort(
    (a, b) => (a.severity ?? 1) - (b.severity ?? 1) || a.range.start.line - b.range.start.line,
  );
  return sorted.map(({ range, severity, message, source, code }) => {
    const from = [source ?? server, code].filter((part) => part !== undefined).join(" ");
    return `${path}:${range.start.line + 1}:${range.start.character + 1}: ${SEVERITIES[severity ?? 1]}: ${textOf(message)} (${from})`;
  });
}

export function locationsOf(answer: unknown): Location[] {
  const list = Array.isArray(answer) ? answer : answer ? [answer] : [];
  return (list as (Location | LocationLink)[]).map((one) =>
    "targetUri" in one ? { uri: one.targetUri, range: one.targetSelectionRange } : one,
  );
}

/** With `context`, the line at the place follows it. */
export function showLocation({ uri, range }: Location, cwd: string, context: boolean): string {
  const path = uri.startsWith("file:") ? fileURLToPath(uri) : uri;
  const shown = relative(cwd, path).startsWith("..") ? path : relative(cwd, path);
  const line = context ? lineOf(path, range.start.line) : undefined;
  return `${shown}:${range.start.line + 1}:${range.start.character + 1}${line === undefined ? "" : `: ${line.trim()}`}`;
}

export function showHover(answer: unknown): string {
  const contents = (answer as { contents?: unknown } | null)?.contents;
  return (Array.isArray(contents) ? contents.map(textOf) : [textOf(contents)]).join("\n").trim();
}

/** The text of a string or of marked-up content. */
function textOf(part: unknown): string {
  return typeof part === "string" ? part : ((part as { value?: string } | null)?.value ?? "");
}

export function showSymbols(symbols: readonly SymbolNode[], cwd: string, depth = 0): string[] {
  return symbols.flatMap((symbol) => {
    const range = symbol.selectionRange ?? symbol.range;
    const place = symbol.location
      ? ` ${showLocation(symbol.location, cwd, false)}`
      : range
        ? `:${range.start.line + 1}`
        : "";
    const line = `${"  ".repeat(depth)}${SYMBOL_KINDS[symbol.kind] ?? "?"} ${symbol.name}${place}`;
    return [line, ...showSymbols(symbol.children ?? [], cwd, depth + 1)];
  });
}

function lineOf(path: string, line: number): string | undefined {
  try {
    return readRegularFile(path).toString("utf8").split("\n")[line];
  } catch {
    return undefined;
  }
}
