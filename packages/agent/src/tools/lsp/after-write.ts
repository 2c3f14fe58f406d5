import { relative } from "node:path";
import { readRegularFile } from "@gantry/trust";
import type { TextEdit } from "vscode-languageserver-types";
import { changeFiles } from "../disk/change.ts";
import { applyEdits } from "./edits.ts";
import type { ProjectServers } from "./servers-of-project.ts";
import { showDiagnostics } from "./show.ts";

const WAIT_MS = 3000;
const MOST = 20;

/** What servers do after a file was written. */
export type AfterWrite = { format?: boolean; diagnostics?: boolean };

/**
 * For tools that write files: lets servers format the file and returns the problems that they find, as text. Never
 * rejects. Starts servers on demand, but waits at most three seconds for each.
 */
export function afterWrite(servers: ProjectServers, cwd: string) {
  return async (path: string, { format = false, diagnostics = true }: AfterWrite = {}): Promise<string | undefined> => {
    const parts = [
      format ? await waitBriefly(formatFile(servers, path)) : undefined,
      diagnostics ? await waitBriefly(mistakes(servers, path, cwd)) : undefined,
    ];
    return parts.filter((part) => part !== undefined).join("\n") || undefined;
  };
}

function waitBriefly(work: Promise<string | undefined>): Promise<string | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, WAIT_MS, undefined).unref());
  return Promise.race([work.catch(() => undefined), late]);
}

async function mistakes(servers: ProjectServers, path: string, cwd: string): Promise<string | undefined> {
  const lines = (await servers.diagnostics(path, WAIT_MS)).flatMap(({ server, found }) =>
    showDiagnostics(
      relative(cwd, path),
      found.filter(({ severity }) => (severity ?? 1) <= 2),
      server,
    ),
  );
  if (lines.length === 0) return undefined;
  const more = lines.length > MOST ? [`… and ${lines.length - MOST} more`] : [];
  return ["Diagnostics:", ...lines.slice(0, MOST), ...more].join("\n");
}

/** Formats with the first server that can; linters go first. */
async function formatFile(servers: ProjectServers, path: string): Promise<string | undefined> {
  const clients = (await servers.clients(path, false)).filter((each) => each.capabilities.documentFormattingProvider);
  const client = clients.find(({ server }) => server.isLinter) ?? clients[0];
  if (!client) return undefined;
  const before = readRegularFile(path);
  const text = before.toString("utf8");
  const params = { textDocument: { uri: client.sync(path) }, options: indentationOf(text) };
  const edits = (await client.request("textDocument/formatting", params, WAIT_MS)) as TextEdit[] | null;
  const after = applyEdits(text, edits ?? []);
  if (after === text) return undefined;
  // `before` makes this fail if another writer changed the file meanwhile.
  await changeFiles([{ path, before, after: Buffer.from(after) }], AbortSignal.timeout(WAIT_MS));
  client.sync(path);
  return `[${client.server.name} formatted the file: its lines may differ from what you wrote.]`;
}

function indentationOf(text: string): { tabSize: number; insertSpaces: boolean } {
  const [, indent = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  return indent.startsWith("\t") ? { tabSize: 4, insertSpaces: false } : { tabSize: indent.length, insertSpaces: true };
}
