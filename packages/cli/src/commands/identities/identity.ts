import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { formatControls, type Identity, type IdentityRow, type Mode } from "@gantry/protocol";
import {
  firstLine,
  homePath,
  pluralize,
  renderFacts,
  renderTable,
  shortId,
  stripControls,
  wrapText,
} from "@gantry/terminal";
import { type ControlFlags, controlValues } from "../../arguments/controls.ts";
import { promptText } from "../../arguments/prompt-text.ts";
import { connect } from "../../daemon/connect.ts";
import { watchWithSetup } from "../../follow/offer-setup.ts";
import type { Context } from "../../program/context.ts";
import { usageError } from "../../program/errors.ts";
import { sentLine } from "../work/send.ts";

type NoFlags = Record<never, never>;

export type NewIdentityFlags = ControlFlags & {
  agent: string;
  model?: string;
  mode?: Mode;
  effort?: string;
  cwd?: string;
  role?: "lead" | "worker";
  title?: string;
  description?: string;
  persona?: string;
};

/** Identities, and what is wrong with the files of others. */
export async function list(this: Context): Promise<void> {
  const { output } = this;
  const { paint } = output;
  const client = await connect(this);
  const found = await client.identities.list();
  if (output.json) return output.data(found);
  const { identities, broken } = found;
  if (identities.length + broken.length === 0)
    return output.print("No identities. Create one: gantry identity new <name> -a <agent>");
  const columns = [
    { title: "NAME" },
    { title: "ROLE" },
    { title: "AGENT" },
    { title: "STATE" },
    { title: "MEMORY" },
    { title: "PURPOSE", shrink: true },
  ];
  if (identities.length > 0)
    output.print(
      renderTable(
        columns,
        identities.map((one) => [
          paint.bold(one.name),
          one.role,
          one.agent,
          one.state ?? paint.dim("not started"),
          pluralize(one.memory.length, "file"),
          firstLine(stripControls(one.description ?? one.title ?? "")),
        ]),
        { header: paint.dim, width: output.width?.() },
      ),
    );
  for (const { path, problems } of broken)
    for (const { line, message } of problems) output.print(paint.yellow(`${homePath(path)}:${line}: ${message}`));
}

/** Creates an identity; never replaces one. */
export async function make(this: Context, flags: NewIdentityFlags, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const { identities, broken } = await client.identities.list();
  if ([...identities, ...broken].some((one) => one.name === name))
    throw usageError(`There is an identity ${name} already.`, `gantry identity edit ${name}`);
  const { persona, cwd, control: _, fast: __, ...settings } = flags;
  const made = await client.identities.put(name, {
    ...settings,
    controls: controlValues(flags),
    ...(cwd ? { cwd: resolve(cwd) } : {}),
    ...(persona === undefined ? {} : { persona: persona.startsWith("@") ? contentOf(persona.slice(1)) : persona }),
  });
  if (output.json) return output.data(made);
  output.print(`${made.name}: ${made.agent}, ${made.mode} · ${homePath(made.folder)}`);
  output.print(output.paint.dim(`gantry identity send ${name} "…" starts its session.`));
}

export async function show(this: Context, _flags: NoFlags, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const identity = await client.identities.get(name);
  if (output.json) return output.data(identity);
  const { paint } = output;
  const width = output.width?.() ?? 100;
  const lines = (text: string) =>
    stripControls(text)
      .trim()
      .split("\n")
      .flatMap((line) => wrapText(line, width - 2))
      .map((line) => `  ${line}`.trimEnd());
  output.print([
    `${paint.bold(stripControls(identity.title ?? identity.name))}  ${identity.role}`,
    "",
    ...renderFacts(settingsOf(identity), paint.dim),
    ...(identity.persona.trim() ? ["", paint.bold("Persona"), ...lines(identity.persona)] : []),
    ...identity.memory.flatMap(({ name: file, text, whole }) => [
      "",
      paint.bold(`Memory: ${file}`) + (whole ? "" : paint.yellow("  too long: the agent gets only the beginning")),
      ...lines(text),
    ]),
  ]);
}

/** Sends a message to its one session; with `--wait`, follows the turn. */
export async function send(
  this: Context,
  flags: { wait: boolean; timeout?: number },
  name: string,
  ...args: string[]
): Promise<void> {
  const { output } = this;
  const text = await promptText(args, output.streams.input);
  const client = await connect(this);
  const before = (await client.identities.get(name)).session;
  const after = before ? (await client.sessions.get(before)).lastSeq : 0;
  const { session, ...sent } = await client.identities.send(name, { text });
  if (!flags.wait) return output.json ? output.data({ ...sent, session }) : output.print(sentLine(sent, session.id));
  const watch = { client, session, after, until: { message: sent.message }, timeoutSeconds: flags.timeout };
  await watchWithSetup(this, watch, { text });
}

/** Removes it. Persona and memory stay on disk unless their removal is asked for. */
export async function remove(this: Context, flags: { purge: boolean }, name: string): Promise<void> {
  const { output } = this;
  const client = await connect(this);
  const done = await client.identities.delete(name, flags.purge);
  if (output.json) return output.data(done);
  output.print(`removed: ${name}${done.archived ? `, its session ${shortId(done.archived)} is archived` : ""}`);
  const { kept: archive } = done; // prose-ignore: field of the API
  if (archive) output.print(output.paint.dim(`Persona and memory remain in ${homePath(archive)}`));
}

function settingsOf(identity: Identity | IdentityRow): [string, string | undefined][] {
  const { name, description, agent, model, mode, effort, controls, cwd, folder, session, state } = identity;
  return [
    ["name", name],
    ["purpose", description],
    ["agent", agent],
    ["model", [model ?? "the agent's default", effort && `effort ${effort}`].filter(Boolean).join(", ")],
    ["mode", mode],
    ["controls", controls && formatControls(controls)],
    ["works in", cwd ? homePath(cwd) : "a separate folder"],
    ["files", homePath(folder)],
    ["session", session && `${session} (${state})`],
  ];
}

function contentOf(path: string): string {
  try {
    return readFileSync(resolve(path), "utf8");
  } catch (error) {
    throw usageError(`${path} cannot be read: ${(error as Error).message}`);
  }
}
