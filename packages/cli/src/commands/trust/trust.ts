import { resolve } from "node:path";
import type { FolderTrust, PutTrust, TrustedFolder } from "@gantry/protocol";
import { confirm, formatAgo, pluralize, renderTable } from "@gantry/terminal";
import { connectIfRunning } from "../../daemon/connect.ts";
import { refuseInAgentShell } from "../../program/agent-shell.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { projectCodeFinder } from "./project-code.ts";

type Flags = { show: boolean; revoke: boolean; remove: boolean; list: boolean; yes: boolean };

/** The trust of the running daemon, or the same without a daemon. */
type TrustPort = {
  get(path: string): Promise<FolderTrust>;
  list(): Promise<TrustedFolder[]>;
  put(body: PutTrust): Promise<FolderTrust>;
  revoke(path: string): Promise<{ path: string; revoked: boolean }>;
};

/** Shows what a folder would run and trusts it. Refused in an agent's shell: only a person may decide. */
export default async function trust(this: Context, flags: Flags, folder = "."): Promise<void> {
  const { output, env } = this;
  const revoke = flags.revoke || flags.remove;
  const actions = [flags.show, revoke, flags.list].filter(Boolean);
  if (actions.length > 1) throw usageError("Use only one of --show, --revoke and --list.");
  const changes = !flags.show && !flags.list;
  if (changes) refuseInAgentShell(env, "An agent cannot change which projects are trusted.");
  const port = await openPort(this);
  if (flags.list) return list(this, await port.list());
  const path = resolve(folder);
  if (revoke) {
    const { path: real, revoked } = await port.revoke(path);
    if (output.json) return output.data({ path: real, revoked });
    return output.print(revoked ? `${real} is no longer trusted.` : `${real} was not trusted.`);
  }
  const found = await port.get(path);
  if (flags.show) return output.json ? output.data(found) : output.print(describe(found));
  await decide(this, port, found, flags.yes);
}

/** On a terminal the user is asked first. The digest makes sure that only what was shown is trusted. */
async function decide({ output }: Context, port: TrustPort, found: FolderTrust, yes: boolean): Promise<void> {
  const { path, digest } = found;
  if (output.interactive && !yes) {
    output.print(describe(found));
    if (!(await confirm(output.streams, `Trust ${path}?`))) {
      await port.put({ path, digest, decision: "later" });
      return output.print("Nothing was trusted.");
    }
  }
  const trusted = await port.put({ path, digest, decision: "trust" });
  if (output.json) return output.data(trusted);
  output.print(`${path} is trusted now. This allows:`);
  output.print(itemLines(trusted));
  if (trusted.items.length > 0) output.print("Content that changes has to be trusted again.");
}

async function openPort(context: Context): Promise<TrustPort> {
  const { home, env } = context;
  const running = await connectIfRunning(context);
  if (running) return running.client.trust;
  const { openLocalTrust } = await import("@gantry/runtime");
  const local = openLocalTrust(home, env, projectCodeFinder(env, home));
  return {
    get: (path) => local.look(path),
    list: async () => local.list(),
    put: (body) => local.put(body),
    revoke: async (path) => local.revoke(path),
  };
}

function describe(found: FolderTrust): string[] {
  const { path, state, through, items, target } = found;
  const states = {
    trusted: `${path} is trusted${through === undefined ? "" : ` through ${through}`}.`,
    changed: `${path} is trusted, but what it would run has changed. What changed does not run.`,
    untrusted: `${path} is not trusted.`,
  };
  const head = items.length === 0 ? "It supplies no program that Gantry would start. Trust allows:" : "It would run:";
  const hint = target === path ? [] : [`${target} has the same content. Trust in it covers all of its lanes.`];
  return [states[state], head, ...itemLines(found), ...hint];
}

function itemLines({ items }: FolderTrust): string[] {
  const lines = items.map(({ kind, name, command, file, trusted }) => {
    const from = command === file ? "" : `  (${file})`;
    return `  ${trusted ? " " : "!"} ${kind} ${name}: ${command}${from}`;
  });
  return ["  language servers and linters may load code of the folder", ...new Set(lines)];
}

function list({ output }: Context, folders: TrustedFolder[]): void {
  if (output.json) return output.data({ folders });
  if (folders.length === 0) return output.print("No folder is trusted.");
  const rows = folders.map(({ path, items, trustedAt }) => [
    path,
    pluralize(items, "item"),
    output.paint.dim(formatAgo(trustedAt, Date.now())),
  ]);
  const columns = [{ title: "FOLDER", shrink: true }, { title: "TRUSTED" }, { title: "SINCE" }];
  output.print(renderTable(columns, rows, { header: output.paint.dim, width: output.width?.() }));
}
