import type { Client } from "@gantry/client";
import type { AgentRow } from "@gantry/protocol";
import { pluralize } from "@gantry/terminal";
import type { Check } from "./environment.ts";
import type { Step } from "./step.ts";

/** The shared kit of all agents, with one check for each item that cannot be used. */
export async function kitChecks(client: Client): Promise<Check[]> {
  const [{ servers, problems }, known] = await Promise.all([client.servers.list(), client.skills.list()]);
  const usable = servers.filter(({ enabled }) => enabled).length;
  const detail = `${pluralize(usable, "MCP server")}, ${pluralize(known.skills.length, "skill")} for all agents`;
  const wrong = [...problems, ...known.problems];
  return [
    { name: "kit", state: "ok", detail },
    ...wrong.map(({ message, fix }): Check => ({ name: "kit", state: "warn", detail: message, fix })),
  ];
}

/** How this agent receives the shared kit. */
export function kitStep({ kit }: AgentRow): Step[] {
  if (!kit) return [];
  const parts = { skills: kit.skills, instructions: kit.instructions };
  const own = Object.entries({ servers: kit.servers ? "own" : "none", ...parts });
  const partsBy = (how: string) => own.flatMap(([part, way]) => (way === how ? [part] : [])).join(" and ");
  const sentences = [
    partsBy("own") && `${partsBy("own")} natively`,
    partsBy("prompt") && `${partsBy("prompt")} before the first prompt`,
    partsBy("none") && "no MCP servers",
  ];
  const detail = sentences.filter((sentence) => sentence).join("; ");
  return [{ name: "kit", state: kit.servers ? "ok" : "warn", detail }];
}
