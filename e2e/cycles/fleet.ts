import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { agents } from "@gantry/runtime";
import {
  bareEnvironment,
  type DialectName,
  hermeticEnvironment,
  type ScriptedModel,
  startScriptedModel,
  vendorBinary,
  writeFakeAgent,
} from "@gantry/testkit";
import { targets } from "../targets/targets.ts";

/** Agents that one daemon can start in one home, and the environment that they need. */
export type Fleet = { agents: string[]; env: Record<string, string>; model?: ScriptedModel };

/** Fakes that speak more than plain ACP. */
const DIALECTS: Readonly<Record<string, DialectName>> = {
  scripted: "scripted",
  claude: "claude",
  codex: "codex",
  cursor: "cursor",
  hermes: "hermes",
  goose: "goose",
  amp: "amp",
};

/** Every registered agent that has a fake: a dedicated one, or the plain ACP fake if its main channel is ACP. */
export function fakeFleet(home: string): Fleet {
  const dir = join(home, "fake");
  const env: Record<string, string> = { ...bareEnvironment(home), GANTRY_HOME: gantryHome(home) };
  const ids = agents.flatMap(({ id, channels, find }) => {
    const dialect = DIALECTS[id] ?? (channels[0]?.name === "acp" ? "acp" : undefined);
    if (!dialect) return [];
    env[find.env] = writeFakeAgent({ dir, dialect, name: id, pace: 1 });
    return [id];
  });
  return { agents: ids, env };
}

/** Every agent with an installable program, in the newest tested version, with a scripted model. */
export async function realFleet(home: string): Promise<Fleet> {
  const model = await startScriptedModel();
  const chosen = agents.flatMap(({ id, find }) => {
    const target = targets.find(({ agent, fake }) => agent === id && !fake);
    return target ? [{ target, variable: find.env }] : [];
  });
  let env: Record<string, string> = bareEnvironment(home);
  for (const { target, variable } of chosen) {
    if (target.own) {
      env = { ...env, ...target.own.environment(home, model.url) };
      continue;
    }
    const program = await vendorBinary(target);
    const own = hermeticEnvironment({ agent: target.agent, home, modelUrl: model.url, program });
    env = { ...env, ...own, PATH: joinPaths(own.PATH, env.PATH), [variable]: program };
  }
  return { agents: chosen.map(({ target }) => target.agent), env: { ...env, GANTRY_HOME: gantryHome(home) }, model };
}

function gantryHome(home: string): string {
  const path = join(home, "gantry");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function joinPaths(...paths: (string | undefined)[]): string {
  return [...new Set(paths.flatMap((path) => path?.split(":") ?? []))].join(":");
}
