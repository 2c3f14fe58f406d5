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

/** Agents that one daemon can start, all in one home, and the world that they need. */
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

/** Every registered agent that has a fake: one of its own, or the plain one where its main channel is ACP. */
export function fakeFleet(home: string): Fleet {
  const dir = join(home, "fake");
  const env: Record<string, string> = { ...bareEnvironment(home), GANTRY_HOME: gantryHome(home) };
  const had = agents.flatMap(({ id, channels, find }) => {
    const dialect = DIALECTS[id] ?? (channels[0]?.name === "acp" ? "acp" : undefined);
    if (!dialect) return [];
    env[find.env] = writeFakeAgent({ dir, dialect, name: id, pace: 1 });
    return [id];
  });
  return { agents: had, env };
}

/** Every agent whose own program is there, in the newest version that is tried, against a scripted model. */
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
    env = { ...env, ...own, PATH: joined(own.PATH, env.PATH), [variable]: program };
  }
  return { agents: chosen.map(({ target }) => target.agent), env: { ...env, GANTRY_HOME: gantryHome(home) }, model };
}

function gantryHome(home: string): string {
  const path = join(home, "gantry");
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
}

function joined(...paths: (string | undefined)[]): string {
  return [...new Set(paths.flatMap((path) => path?.split(":") ?? []))].join(":");
}
