import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver-types";
import { isGitData } from "../../permissions/git-folders.ts";
import { isInside } from "../../permissions/paths.ts";
import { realPath } from "../disk/path.ts";

/** A larger change is most likely a mistake of the server. */
const MOST_EDITS = 1000;

/** The files that an edit touches. */
export function touchedFiles(edit: WorkspaceEdit): string[] {
  const uris = (edit.documentChanges ?? []).flatMap((change) =>
    "textDocument" in change
      ? [change.textDocument.uri]
      : change.kind === "rename"
        ? [change.oldUri, change.newUri]
        : [change.uri],
  );
  return [...new Set([...Object.keys(edit.changes ?? {}), ...uris])].map((uri) => fileURLToPath(uri));
}

/** True if a server may change this file. Symbolic links count as their target. A server never changes git's own data. */
export function mayChange(path: string, { cwd, folders }: { cwd: string; folders: readonly string[] }): boolean {
  const inside = [cwd, ...folders].map((folder) => realPath(folder));
  const real = realPath(path);
  return isInside(real, inside) && !isGitData(real, inside);
}

/** Changes the files and returns their paths. Computes every text before it writes the first. */
export function applyWorkspaceEdit(edit: WorkspaceEdit, mayWrite: (path: string) => boolean): string[] {
  const refused = touchedFiles(edit).find((path) => !mayWrite(path));
  if (refused !== undefined) throw new Error(`The change touches ${refused}, which is outside the writable folders.`);
  const texts: [string, TextEdit[]][] = [
    ...Object.entries(edit.changes ?? {}),
    ...(edit.documentChanges ?? []).flatMap((change): [string, TextEdit[]][] =>
      "textDocument" in change ? [[change.textDocument.uri, change.edits.map(plainEdit)]] : [],
    ),
  ];
  const count = texts.reduce((sum, [, edits]) => sum + edits.length, 0);
  if (count > MOST_EDITS) throw new Error(`The change has ${count} edits; at most ${MOST_EDITS} are allowed.`);
  const created = (edit.documentChanges ?? []).flatMap((change) =>
    "kind" in change && change.kind === "create" ? [fileURLToPath(change.uri)] : [],
  );
  const written = texts.map(([uri, edits]) => {
    const path = fileURLToPath(uri);
    return [path, applyEdits(created.includes(path) ? "" : readFileSync(path, "utf8"), edits)] as const;
  });
  for (const path of created) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "", { flag: "a" });
  }
  for (const [path, text] of written) writeFileSync(path, text);
  for (const change of edit.documentChanges ?? []) {
    if (!("kind" in change)) continue;
    if (change.kind === "rename") renameSync(fileURLToPath(change.oldUri), fileURLToPath(change.newUri));
    if (change.kind === "delete") rmSync(fileURLToPath(change.uri), { recursive: true });
  }
  return touchedFiles(edit);
}

/** Snippets need a capability that the client does not announce. */
function plainEdit(edit: TextDocumentEdit["edits"][number]): TextEdit {
  if (!("newText" in edit)) throw new Error("The server sent a snippet instead of a plain edit.");
  return edit;
}

/** All ranges refer to the text before the first edit. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  const offset = ({ line, character }: { line: number; character: number }) => {
    const start = starts[line];
    if (start === undefined) return text.length;
    const end = starts[line + 1] === undefined ? text.length : starts[line + 1]! - 1;
    return Math.min(start + character, end);
  };
  const placed = edits.map(({ range, newText }, order) => ({
    from: offset(range.start),
    to: offset(range.end),
    newText,
    order,
  }));
  placed.sort((a, b) => b.from - a.from || b.order - a.order);
  return placed.reduce((result, { from, to, newText }) => result.slice(0, from) + newText + result.slice(to), text);
}
