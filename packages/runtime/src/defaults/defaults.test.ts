import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AgentRow } from "@gantry/protocol";
import type { TrustStore } from "@gantry/trust";
import { afterAll, expect, it } from "vitest";
import { builtInAgents } from "../agents/registry.ts";
import { Config } from "../config.ts";
import { SessionDefaults } from "./defaults.ts";

const cwd = mkdtempSync(join(tmpdir(), "gantry-defaults-"));
afterAll(() => rmSync(cwd, { recursive: true }));

const row = (id: string, state: AgentRow["state"], auth: AgentRow["auth"]["state"], demo = false) =>
  ({ id, state, auth: { state: auth, how: "" }, ...(demo ? { demo } : {}) }) as AgentRow;
const scripted = row("scripted", "ready", "ok", true);

function defaultsWith(rows: AgentRow[]): SessionDefaults {
  return new SessionDefaults({
    config: Config.parse({}),
    trust: { covers: () => true } as unknown as TrustStore,
    editConfig: () => {},
    rows: async () => rows,
    agent: (id) => builtInAgents.find((agent) => agent.id === id),
    usedAgents: () => ["scripted"],
  });
}

it.each([
  [
    "a login is missing",
    [scripted, row("codex", "ready", "missing")],
    /logged in here: codex/,
    /gantry login codex.*-a scripted/,
  ],
  [
    "nothing is installed",
    [scripted, row("codex", "missing", "unknown")],
    /No agent is installed/,
    /gantry agents.*-a scripted/,
  ],
  [
    "several agents are ready",
    [scripted, row("codex", "ready", "ok"), row("claude", "ready", "ok")],
    /Ready here: codex, claude\./,
    /-a <agent>/,
  ],
])("does not choose the scripted agent: if %s, the error names the next step", async (_, rows, message, remedy) => {
  const failed = await defaultsWith(rows)
    .fill({}, cwd)
    .catch((error) => error);
  expect(failed.message).toMatch(message);
  expect(failed.remedy).toMatch(remedy);
  expect((await defaultsWith(rows).get({ cwd })).agent).toBeUndefined();
});

it("chooses the only agent that is ready, not the scripted one", async () => {
  const { body } = await defaultsWith([scripted, row("codex", "ready", "ok")]).fill({}, cwd);
  expect(body.agent).toBe("codex");
});
