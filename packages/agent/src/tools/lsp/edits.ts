import { fileURLToPath } from "node:url";
import type { TextDocumentEdit, TextEdit, WorkspaceEdit } from "vscode-languageserver-types";
import { changeFiles, type FileChange, moveFile, removeFile } from "../disk/change.ts";
import type { LateChange } from "../disk/confirm-changes.ts";
import { loadBytes } from "../disk/load.ts";

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

/** Checks paths right before they change and returns their real paths. Rejects if one must not change. */
export type Confirm = (changes: readonly LateChange[]) => Promise<string[]>;

/** Changes the files and returns their paths. Computes every text before it writes the first. */
export async function applyWorkspaceEdit(
  edit: WorkspaceEdit,
  confirm: Confirm,
  signal: AbortSignal,
): Promise<string[]> {
  const steps = edit.documentChanges ?? [];
  const texts: [string, TextEdit[]][] = [
    ...Object.entries(edit.changes ?? {}),
    ...steps.flatMap((change): [string, TextEdit[]][] =>
      "textDocument" in change ? [[change.textDocument.uri, change.edits.map(plainEdit)]] : [],
    ),
  ];
  const count = texts.reduce((sum, [, edits]) => sum + edits.length, 0);
  if (count > MOST_EDITS) throw new Error(`The change has ${count} edits; at most ${MOST_EDITS} are allowed.`);
  const created = steps.flatMap((change) => ("kind" in change && change.kind === "create" ? [change.uri] : []));
  const moved = steps.flatMap((change) => ("kind" in change && change.kind === "rename" ? [change] : []));
  const deleted = steps.flatMap((change) => ("kind" in change && change.kind === "delete" ? [change.uri] : []));
  const written = [...new Set([...created, ...texts.map(([uri]) => uri)])];
  const removed = [...moved.map(({ oldUri }) => oldUri), ...deleted];
  const uris = [...written, ...moved.map(({ newUri }) => newUri), ...removed];
  const effects = uris.map((uri): LateChange => {
    return { kind: removed.includes(uri) ? "file.delete" : "file.write", path: fileURLToPath(uri) };
  });
  const real = await confirm(effects);
  const pathOf = (uri: string) => real[uris.indexOf(uri)] ?? "";
  const changes: FileChange[] = [];
  for (const uri of written) {
    const edits = texts.flatMap(([each, list]) => (each === uri ? list : []));
    const before = await loadBytes(pathOf(uri));
    if (before && edits.length === 0) continue;
    const base = created.includes(uri) ? "" : (before?.toString("utf8") ?? "");
    changes.push({ path: pathOf(uri), before, after: Buffer.from(applyEdits(base, edits)) });
  }
  await changeFiles(changes, signal);
  for (const { oldUri, newUri } of moved) await moveFile(pathOf(oldUri), pathOf(newUri));
  for (const uri of deleted) await removeFile(pathOf(uri));
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
