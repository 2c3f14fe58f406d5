import { openLocalStore } from "@gantry/models";
import type { LoginMethod, LoginUi, OAuthProvider } from "@gantry/models/oauth";
import { askLine, stripControls } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { CommandError, usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";
import { checkLocal, describeProtection, set } from "./auth.ts";

/** Logs in with a subscription and stores the login for Gantry's own agent. Without a provider, asks for one. */
export default async function authLogin(this: Context, flags: { way?: LoginMethod }, named?: string): Promise<void> {
  const { output, env } = this;
  checkLocal(env);
  const { login, loginMethods, oauthProviders } = await import("@gantry/models/oauth");
  const rows = oauthProviders(env);
  const provider = named ?? (await chooseProvider(this, rows));
  const row = rows.find((one) => one.provider === provider);
  if (!row && named === undefined) return set.call(this, {}, provider);
  if (!row)
    throw usageError(
      `There is no login for ${provider}.`,
      otherWays(
        provider,
        rows.map((one) => one.provider),
      ),
    );
  const ways = loginMethods(row);
  const way = flags.way ?? ways[0] ?? "browser";
  if (!ways.includes(way)) throw usageError(`${row.name} has no ${way} login.`, `Try: --way ${ways.join(", ")}`);
  const given = new AbortController();
  const stop = () => given.abort();
  process.once("SIGINT", stop);
  try {
    const result = await login(row, { method: way, signal: given.signal, ui: loginUi(this) });
    if (!result.ok) throw new CommandError(exitOf(result.reason), `login_${result.reason}`, result.message);
    const store = openLocalStore(env);
    const stored = await store.put(provider, result.data);
    const protection = await store.protection();
    store.close();
    if (output.json) return output.data({ ...stored, protection: protection ?? null });
    output.print(`${provider}: logged in as ${stripControls(stored.identity)}, ${describeProtection(protection)}`);
  } finally {
    process.removeListener("SIGINT", stop);
  }
}

/** Asks for a provider: one with a login by its number, or any other by its name. */
async function chooseProvider({ output }: Context, rows: readonly OAuthProvider[]): Promise<string> {
  const names = rows.map(({ provider }) => provider);
  if ((output.streams.input as NodeJS.ReadStream).isTTY !== true)
    throw usageError("Which provider?", otherWays("<provider>", names));
  const width = String(rows.length).length;
  for (const [index, { name, provider }] of rows.entries())
    output.note(`${String(index + 1).padStart(width)}  ${name} (${provider})`);
  const question = "Number of a login, or name of a provider for which you have a key: ";
  const answer = ((await askLine(output.streams, question)) ?? "").trim();
  if (answer === "") throw new CommandError(exitCodes.interrupted, "login_aborted", "Nothing was chosen.");
  return names[Number(answer) - 1] ?? answer;
}

function otherWays(provider: string, known: readonly string[]): string {
  if (provider === "google")
    return "Google needs your own OAuth client: set GANTRY_GOOGLE_CLIENT_ID and GANTRY_GOOGLE_CLIENT_SECRET.";
  return `Logins: ${known.join(", ")}. With a key: gantry auth set ${provider}`;
}

function exitOf(reason: string): number {
  return reason === "aborted" ? exitCodes.interrupted : exitCodes.failed;
}

function loginUi({ output }: Context): LoginUi {
  const canType = output.interactive || (output.streams.input as NodeJS.ReadStream).isTTY === true;
  return {
    openUrl: (url, instructions) => output.note(`${instructions}\n\n  ${url}\n`),
    askCode: async (prompt, signal) => (canType ? askLine(output.streams, `${prompt}: `, { signal }) : undefined),
    progress: (text) => output.note(text),
  };
}
