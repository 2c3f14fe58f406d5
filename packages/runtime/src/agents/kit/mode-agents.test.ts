import { expect, test } from "vitest";
import type { LaunchOptions } from "../contract.ts";
import { modeAgents } from "./mode-agents.ts";

const { agentOf, kitParts } = modeAgents({ variable: "X_CONFIG", denied: ["question"] });
const options = { cwd: "/work", dir: "/run/prc_1", mode: "ask" } as LaunchOptions;

function configuration(more: Partial<LaunchOptions> = {}) {
  const [part] = kitParts({ ...options, ...more });
  return JSON.parse(part?.env?.X_CONFIG ?? "{}");
}

test("defines one agent per mode except plan, which the program has built in", () => {
  expect(agentOf("plan")).toBe("plan");
  expect(agentOf("auto-edit")).toBe("gantry-auto-edit");
  expect(agentOf("inherit")).toBeUndefined();
  expect(configuration().agent["gantry-auto-edit"].permission).toMatchObject({ edit: "allow", bash: "ask" });
});

test("denies unreported tools to all agents", () => {
  expect(configuration()).toMatchObject({
    permission: { question: "deny" },
    agent: { "gantry-full-auto": { permission: { question: "deny" } } },
  });
  const [part] = modeAgents({ variable: "X_CONFIG" }).kitParts(options);
  expect(part?.env?.X_CONFIG).not.toContain("deny");
});

test("asks before using a kit's servers and passes its instructions and skills", () => {
  const servers = [{ name: "lamp", command: ["lampd"] }];
  const kit = { servers, skills: [{ name: "log", path: "/s/log" }], instructions: "Be brief." };
  const found = configuration({ kit: kit as unknown as NonNullable<LaunchOptions["kit"]> });
  expect(found.agent["gantry-ask"].permission["lamp_*"]).toBe("ask");
  expect(found.instructions).toEqual(["/run/prc_1/instructions.md"]);
  expect(found.skills).toEqual({ paths: ["/run/prc_1/skills"] });
});
