import type { Client } from "@gantry/client";
import type { AgentRow, KitSupport } from "@gantry/protocol";
import { expect, test } from "vitest";
import { kitChecks, kitStep } from "./kit.ts";

const step = (kit: KitSupport | undefined) => kitStep({ kit } as AgentRow)[0];

test("one line shows how an agent gets servers, skills and instructions", () => {
  expect(step({ servers: true, skills: "own", instructions: "own" })).toEqual({
    name: "kit",
    state: "ok",
    detail: "servers and skills and instructions natively",
  });
  expect(step({ servers: false, skills: "own", instructions: "prompt" })).toEqual({
    name: "kit",
    state: "warn",
    detail: "skills natively; instructions before the first prompt; no MCP servers",
  });
  expect(step(undefined)).toBeUndefined();
});

test("what cannot be given is a warning with its fix", async () => {
  const problem = { code: "bad_skill", message: "The skill x cannot be used.", fix: "Correct it." };
  const servers = [
    { name: "a", enabled: true },
    { name: "b", enabled: false },
  ];
  const client = {
    servers: { list: async () => ({ servers, problems: [] }) },
    skills: { list: async () => ({ skills: [], problems: [problem] }) },
  } as unknown as Client;
  expect(await kitChecks(client)).toEqual([
    { name: "kit", state: "ok", detail: "1 MCP server, 0 skills for all agents" },
    { name: "kit", state: "warn", detail: "The skill x cannot be used.", fix: "Correct it." },
  ]);
});
