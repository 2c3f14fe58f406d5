import { RequestError } from "@agentclientprotocol/sdk/unstable";
import type { AgentRow } from "@gantry/protocol";
import type { Api } from "../session/api.ts";
import { callApi } from "../session/api.ts";

/** A way to log an agent in. */
export type LoginMethod = {
  id: string;
  agent: string;
  name: string;
  description: string;
  /** Appended to the command line of the gateway, for a client with terminals. */
  args: string[];
  command: string[];
};

const PREFIX = "login-";

/** The response to `initialize` does not wait longer for the agents' probes. */
const PATIENCE_MS = 3000;

/** One method for each agent that is installed and not logged in; only for `agent` if one is set. Never rejects. */
export async function loginMethods(api: Api, agent: string | undefined): Promise<LoginMethod[]> {
  const late = new Promise<AgentRow[]>((resolve) => setTimeout(resolve, PATIENCE_MS, []).unref());
  const read = async () => {
    if (agent === undefined) return api.client.agents.list();
    return [(await api.client.agents.get(agent)).agent];
  };
  const rows = await Promise.race([read().catch(() => []), late]);
  return rows.flatMap(methodFor);
}

function methodFor({ id, name, auth, offers }: AgentRow): LoginMethod[] {
  const offer = offers.find(({ kind }) => kind === "login");
  if (auth.state !== "missing" || !offer) return [];
  const description = `${name} is not logged in (${auth.how}). Run \`${offer.display}\` in a terminal.`;
  return [
    {
      id: `${PREFIX}${id}`,
      agent: id,
      name: `Log in to ${name}`,
      description,
      args: ["--login", id],
      command: offer.command,
    },
  ];
}

/** Probes the agent again after a login. Rejects with `auth_required` if it is still not logged in. */
export async function checkLogin(api: Api, method: string): Promise<void> {
  if (!method.startsWith(PREFIX)) throw RequestError.invalidParams(undefined, `There is no method ${method}.`);
  const id = method.slice(PREFIX.length);
  const { agent, offers } = await callApi(api, (client) => client.agents.get(id, true));
  if (agent.auth.state !== "missing") return;
  const offer = offers.find(({ kind }) => kind === "login");
  const remedy = offer ? `Run \`${offer.display}\` in a terminal, then try again.` : agent.auth.how;
  throw RequestError.authRequired({ gantry: { agent: id } }, `${agent.name} is not logged in. ${remedy}`);
}
