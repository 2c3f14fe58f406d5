import type { McpServer, Problem } from "@gantry/protocol";

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The server with every `${NAME}` in its variables and headers replaced, so that a secret need not stand in the file.
 * One whose variable is not set is not usable, and the problem states why.
 */
export function expandVariables(server: McpServer, env: Environment): { server?: McpServer; problem?: Problem } {
  const values = Object.values(("command" in server ? server.env : server.headers) ?? {});
  const names = values.flatMap((value) => [...value.matchAll(REFERENCE)].map(([, name = ""]) => name));
  const missing = [...new Set(names)].filter((name) => env[name] === undefined);
  if (missing.length > 0) return { problem: unsetVariableProblem(server.name, missing) };
  if ("command" in server)
    return { server: { ...server, ...(server.env ? { env: fillValues(server.env, env) } : {}) } };
  return { server: { ...server, ...(server.headers ? { headers: fillValues(server.headers, env) } : {}) } };
}

function fillValues(values: Record<string, string>, env: Environment): Record<string, string> {
  const fill = (value: string) => value.replace(REFERENCE, (_, name: string) => env[name] ?? "");
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, fill(value)]));
}

function unsetVariableProblem(server: string, names: readonly string[]): Problem {
  const which =
    names.length === 1 ? `the variable ${names[0]}, which is` : `the variables ${names.join(", ")}, which are`;
  return {
    code: "unset_variable",
    message: `The MCP server ${server} needs ${which} not set where the daemon runs.`,
    fix: `Set ${names.join(", ")} and start the daemon again: gantry stop && gantry status.`,
  };
}
