import type { Offer } from "@gantry/protocol";
import type { Agent } from "../contract.ts";
import type { AgentEntry, Installed } from "./locate.ts";

/** Characters that a shell takes as they are. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** The command that installs an agent; `undefined` where that is work by hand. */
export function installOffer({ id, name, install }: Agent): Offer | undefined {
  const { command, byHand } = install;
  if (byHand || command === "") return undefined;
  const words = command.split(" ");
  const simple = words.every((word) => PLAIN.test(word));
  return {
    kind: "install",
    agent: id,
    title: `Install ${name}`,
    command: simple ? words : ["/bin/sh", "-c", command],
    display: command,
  };
}

/**
 * The command that logs an agent in, with the program that was found for it; `undefined` where it has none. A program
 * that the shell finds by itself is called by its name.
 */
export function loginOffer({ agent, env }: Pick<AgentEntry, "agent" | "env">, found?: Installed): Offer | undefined {
  const [program, ...args] = agent.login;
  if (program === undefined) return undefined;
  const own = found !== undefined && found.how !== "PATH" && agent.find.bin.includes(program);
  const command = own ? [...found.command, ...args] : agent.login;
  const variables = Object.keys(env);
  return {
    kind: "login",
    agent: agent.id,
    title: `Log in to ${agent.name}`,
    command,
    display: command.map(quoted).join(" "),
    ...(variables.length > 0 ? { env: variables } : {}),
  };
}

function quoted(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
