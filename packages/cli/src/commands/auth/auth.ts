import { text } from "node:stream/consumers";
import {
  agentFolder,
  brokerAddress,
  type CredentialRow,
  fromEnvironment,
  KEY_VARIABLES,
  openCredentials,
  openLocalStore,
} from "@gantry/models";
import { askLine, homePath, renderFacts, renderTable, stripControls } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { environmentError, usageError } from "../../program/errors.ts";

type NoFlags = Record<never, never>;

/** Lists the stored credentials and those in the environment. */
export async function list(this: Context): Promise<void> {
  const { output, env } = this;
  const { paint } = output;
  const credentials = openCredentials({ env });
  await credentials.ready();
  const stored = credentials.rows();
  const environment = Object.keys(KEY_VARIABLES).flatMap((provider) => {
    const found = fromEnvironment(provider, env);
    return found ? [{ provider, source: found.source }] : [];
  });
  const problems = credentials.problems();
  credentials.close();
  if (output.json) return output.data({ stored, environment, problems });
  const rows = [
    ...stored.map((row) => [
      String(row.id),
      row.provider,
      row.type === "oauth" ? "login" : "key",
      row.identity,
      stateOf(row),
    ]),
    ...environment.map(({ provider, source }) => ["", provider, "environment", homePath(source), "ready"]),
  ];
  if (rows.length === 0)
    output.print("No keys and no logins. Add one: gantry auth set <provider>, gantry auth login <provider>");
  const columns = ["ID", "PROVIDER", "KIND", "ACCOUNT", "STATE"].map((title) => ({ title, shrink: title === "STATE" }));
  if (rows.length > 0)
    output.print(
      renderTable(
        columns,
        rows.map((row) => row.map(stripControls)),
        { header: paint.dim, width: output.width?.() },
      ),
    );
  for (const problem of problems) output.note(paint.yellow(problem));
}

export async function set(this: Context, _flags: NoFlags, provider: string): Promise<void> {
  const { output, env } = this;
  checkProvider(provider);
  checkLocal(env);
  const key = await readKey(this, provider, `gantry auth set ${provider}`);
  const store = openLocalStore(env);
  try {
    const row = await store.put(provider, { type: "api_key", key });
    const protection = await store.protection();
    if (output.json) return output.data({ ...row, protection: protection ?? null });
    output.print(`${provider}: stored as ${row.identity}, ${describeProtection(protection)}`);
  } finally {
    store.close();
  }
}

/** Reads a key from the terminal, without echo, or from a pipe. */
export async function readKey({ output }: Context, provider: string, command: string): Promise<string> {
  const { input } = output.streams;
  const key = (
    (input as NodeJS.ReadStream).isTTY === true
      ? ((await askLine(output.streams, `Key for ${provider}: `, { secret: true })) ?? "")
      : await text(input)
  ).trim();
  if (!/^\S{4,}$/.test(key)) throw usageError("That is not a key.", `Pipe it in: … | ${command}`);
  return key;
}

export async function logout(this: Context, flags: { id?: number }, provider: string): Promise<void> {
  const { output, env } = this;
  checkLocal(env);
  const store = openLocalStore(env);
  try {
    const rows = store
      .rows()
      .filter((row) => row.provider === provider && (flags.id === undefined || row.id === flags.id));
    if (rows.length === 0)
      throw usageError(
        `Nothing is stored for ${provider}${flags.id ? ` with id ${flags.id}` : ""}.`,
        "gantry auth list",
      );
    store.remove(rows.map(({ id }) => id));
    if (output.json) return output.data({ removed: rows });
    output.print(`removed: ${rows.map(({ identity }) => stripControls(identity)).join(", ")}`);
  } finally {
    store.close();
  }
}

export async function status(this: Context): Promise<void> {
  const { output, env } = this;
  const folder = agentFolder(env);
  const store = openLocalStore(env);
  const protection = await store.protection();
  const { file } = store;
  store.close();
  const credentials = openCredentials({ env });
  await credentials.ready();
  const report = {
    folder,
    file,
    protection: protection ?? null,
    broker: brokerUrl(env) ?? null,
    credentials: credentials.rows().length,
    problems: credentials.problems(),
  };
  credentials.close();
  if (output.json) return output.data(report);
  output.print(
    renderFacts(
      [
        ["file", homePath(file)],
        ["protection", describeProtection(protection)],
        ["broker", report.broker ?? "none"],
        ["credentials", String(report.credentials)],
      ],
      output.paint.dim,
    ),
  );
  for (const problem of report.problems) output.print(output.paint.yellow(problem));
}

export function describeProtection(protection: string | undefined): string {
  return protection ? `sealed with a key from the ${protection}` : "not encrypted; readable only by you";
}

/** Throws for a client of a broker, which has no local store. */
export function checkLocal(env: Context["env"]): void {
  if (brokerUrl(env))
    throw environmentError(
      "broker",
      "Credentials of this machine come from a broker.",
      "Run the command on the machine of the broker.",
    );
}

function brokerUrl(env: Context["env"]): string | undefined {
  try {
    return brokerAddress(env, agentFolder(env))?.url;
  } catch (error) {
    throw environmentError("broker", (error as Error).message);
  }
}

export function checkProvider(provider: string): void {
  if (!/^[a-z0-9][\w.-]{0,63}$/i.test(provider)) throw usageError(`${provider} is not a valid provider name.`);
}

function stateOf({ disabledCause, restingUntil }: CredentialRow): string {
  if (disabledCause !== undefined) return `disabled: ${disabledCause}`;
  return restingUntil > Date.now() ? `paused until ${new Date(restingUntil).toLocaleTimeString()}` : "ready";
}
