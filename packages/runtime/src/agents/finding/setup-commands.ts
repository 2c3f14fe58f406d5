import type { Offer } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import type { AgentEntry, Installed } from "./locate.ts";

/** Arguments that need no shell quoting. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The install command; `undefined` when the installation is manual. */
export function installCommand({ id, name, install }: Agent): Offer | undefined {
  const { command, byHand } = install;
  if (byHand || command === "") return undefined;
  const args = command.split(" ");
  const simple = args.every((arg) => PLAIN.test(arg));
  return {
    kind: "install",
    agent: id,
    title: `Install ${name}`,
    command: simple ? args : ["/bin/sh", "-c", command],
    display: command,
  };
}

/**
 * The install command of an entry. Installing an agent does not provide the program that a profile names, unless that is
 * a package of the registry.
 */
export function entryInstallCommand({ agent, own }: AgentEntry): Offer | undefined {
  return own && !own.program ? undefined : installCommand(agent);
}

/**
 * The login command with the located program; `undefined` when the agent has none. A program on PATH is called by its
 * name.
 */
export function loginCommand({ agent, env }: Pick<AgentEntry, "agent" | "env">, found?: Installed): Offer | undefined {
  const [program, ...args] = agent.login;
  if (program === undefined) return undefined;
  const hosted = agent.find.package?.name === program;
  const own = found !== undefined && (hosted || (found.how !== "PATH" && agent.find.bin.includes(program)));
  const command = own ? [...found.command, ...args] : agent.login;
  const variables = Object.keys(env);
  return {
    kind: "login",
    agent: agent.id,
    title: agent.usesRegistry ? "Add a model provider" : `Log in to ${agent.name}`,
    command,
    // The own agent is started by internal paths, which are no command for people.
    display: agent.usesRegistry ? ["gantry", ...args.slice(1)].join(" ") : command.map(quote).join(" "),
    ...(agent.usesRegistry ? { keys: true } : {}),
    ...(variables.length > 0 ? { env: variables } : {}),
  };
}

function quote(arg: string): string {
  return PLAIN.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`;
}
