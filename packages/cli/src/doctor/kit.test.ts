import type { Client } from "@gantry/client";
import type { AgentRow, KitSupport } from "@gantry/protocol";
import { expect, test } from "vitest";
import { kitChecks, kitStep } from "./kit.ts";

const step = (kit: KitSupport | undefined) => kitStep({ kit } as AgentRow)[0];

test("how an agent comes by servers, skills and instructions is said in one line", () => {
  expect(step({ servers: true, skills: "own", instructions: "own" })).toEqual({
    name: "kit",
    state: "ok",
    detail: "servers and skills and instructions by its own means",
  });
  expect(step({ servers: false, skills: "own", instructions: "prompt" })).toEqual({
    name: "kit",
    state: "warn",
    detail: "skills by its own means; instructions before the first prompt; no MCP servers",
  });
  expect(step(undefined)).toBeUndefined();
});

test("what cannot be given is a warning with its fix", async () => {
  const problem = { code: "bad_skill", message: "The skill x cannot be used.", fix: "Correct it." };
  const answers: Record<string, unknown> = {
    listMcpServers: {
      servers: [
        { name: "a", enabled: true },
        { name: "b", enabled: false },
      ],
      problems: [],
    },
    listSkills: { skills: [], problems: [problem] },
  };
  const client = { call: async (name: string) => answers[name] } as unknown as Client;
  expect(await kitChecks(client)).toEqual([
    { name: "kit", state: "ok", detail: "1 MCP server, 0 skills for all agents" },
    { name: "kit", state: "warn", detail: "The skill x cannot be used.", fix: "Correct it." },
  ]);
});
