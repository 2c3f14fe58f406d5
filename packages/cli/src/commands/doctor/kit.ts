import type { Client } from "@gantry/client";
import type { AgentRow } from "@gantry/protocol";
import { plural } from "../../render/figures.ts";
import type { Check } from "./environment.ts";
import type { Step } from "./step.ts";

/** What all agents are given, and one check for each thing of it that cannot be. */
export async function kitChecks(client: Client): Promise<Check[]> {
  const [{ servers, problems }, known] = await Promise.all([client.servers.list(), client.skills.list()]);
  const usable = servers.filter(({ enabled }) => enabled).length;
  const detail = `${plural(usable, "MCP server")}, ${plural(known.skills.length, "skill")} for all agents`;
  const wrong = [...problems, ...known.problems];
  return [
    { name: "kit", state: "ok", detail },
    ...wrong.map(({ message, fix }): Check => ({ name: "kit", state: "warn", detail: message, fix })),
  ];
}

/** How the agent comes by what all are given. */
export function kitStep({ kit }: AgentRow): Step[] {
  if (!kit) return [];
  const parts = { skills: kit.skills, instructions: kit.instructions };
  const own = Object.entries({ servers: kit.servers ? "own" : "none", ...parts });
  const said = (how: string) => own.flatMap(([part, way]) => (way === how ? [part] : [])).join(" and ");
  const sentences = [
    said("own") && `${said("own")} by its own means`,
    said("prompt") && `${said("prompt")} before the first prompt`,
    said("none") && "no MCP servers",
  ];
  const detail = sentences.filter((sentence) => sentence).join("; ");
  return [{ name: "kit", state: kit.servers ? "ok" : "warn", detail }];
}
