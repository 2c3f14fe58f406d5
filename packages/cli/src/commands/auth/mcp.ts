import { resolve } from "node:path";
import { loginToMcp, readMcpServers, storedLogins, ToolError } from "@gantry/agent/command";
import { agentFolder, openLocalStore } from "@gantry/models";
import type { Context } from "../../program/context.ts";
import { CommandError, usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";

/** Logs in to an MCP server that requires it. */
export default async function authMcp(this: Context, flags: { mcpConfig?: string }, name: string): Promise<void> {
  const { output, env } = this;
  const agentDir = agentFolder(env);
  const extra = flags.mcpConfig === undefined ? {} : { extra: resolve(flags.mcpConfig) };
  // The user names the server, which counts as trust in the folder's file for this login.
  const { servers, problems } = await readMcpServers({
    agentDir,
    cwd: process.cwd(),
    trustProject: true,
    env,
    ...extra,
  });
  for (const problem of problems) output.note(problem);
  const server = servers.find((one) => one.name === name);
  if (!server || server.transport === "stdio") {
    const others = servers.filter(({ transport }) => transport !== "stdio").map((one) => one.name);
    throw usageError(`There is no MCP server ${name} to log in to.`, `There are: ${others.join(", ") || "none"}.`);
  }
  const given = new AbortController();
  const stop = () => given.abort();
  process.once("SIGINT", stop);
  const logins = storedLogins(() => openLocalStore(env));
  try {
    const openUrl = (url: string) => output.note(`Allow it in a browser on this machine:\n\n  ${url}\n`);
    await loginToMcp({ server, logins, openUrl, signal: given.signal });
    if (output.json) return output.data({ server: name, url: server.url });
    output.print(`${name}: logged in`);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new CommandError(given.signal.aborted ? exitCodes.interrupted : exitCodes.failed, "login", error.message);
  } finally {
    process.removeListener("SIGINT", stop);
    logins.close();
  }
}
