import { ladder, type Mode } from "@gantry/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { LaunchOptions } from "../contract.ts";
import { modeAgents } from "./mode-agents.ts";

const { agentOf, kitParts } = modeAgents({ variable: "X_CONFIG", denied: ["question"] });
const uuid = "0a1b2c3d-0000-4000-8000-000000000000";
const options = { cwd: "/work", dir: "/run/prc_1", mode: "ask", uuid } as LaunchOptions;

function configuration(more: Partial<LaunchOptions> = {}) {
  const [part] = kitParts({ ...options, ...more });
  return JSON.parse(part?.env?.X_CONFIG ?? "{}");
}

type Rules = Record<string, string | Record<string, string>>;

/** The decision of the last matching rule, as the programs evaluate them. */
function decide(rules: Rules[], tool: string, resource = "*"): string | undefined {
  const flat = rules.flatMap((set) =>
    Object.entries(set).flatMap(([name, rule]) =>
      typeof rule === "string"
        ? [{ name, resource: "*", rule }]
        : Object.entries(rule).map(([pattern, each]) => ({ name, resource: pattern, rule: each })),
    ),
  );
  const matches = (pattern: string, value: string) => {
    const source = pattern
      .replace(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".");
    return new RegExp(`^${source}$`, "s").test(value);
  };
  return flat.findLast((rule) => matches(rule.name, tool) && matches(rule.resource, resource))?.rule;
}

const permissionsOf = (mode: Mode) => configuration().agent[agentOf(mode, uuid) ?? ""].permission as Rules;

test("defines one agent per mode, under a name that only this process has", () => {
  expect(agentOf("auto-edit", uuid)).toBe("gantry-auto-edit-0a1b2c3d");
  expect(agentOf("plan", "ffffffff-0000")).toBe("gantry-plan-ffffffff");
  expect(agentOf("inherit", uuid)).toBeUndefined();
  for (const mode of ladder) expect(configuration().agent).toHaveProperty(agentOf(mode, uuid) ?? "");
});

test("refuses every tool in plan mode that does not read, whatever rules come before", () => {
  const rule = fc.constantFrom("allow", "ask");
  const before = fc.dictionary(fc.constantFrom("*", "edit", "e*", "bash", "b*", "task", "webfetch", "my_tool"), rule);
  const acting = fc.constantFrom("edit", "bash", "task", "my_tool", "server_write", "external_plugin");
  fc.assert(
    fc.property(fc.array(before, { maxLength: 3 }), acting, (own, tool) => {
      expect(decide([...own, permissionsOf("plan")], tool, "general")).toBe("deny");
    }),
  );
  for (const tool of ["read", "grep", "glob", "list"]) expect(decide([permissionsOf("plan")], tool)).toBe("allow");
});

test("asks for edits and commands as the mode promises, whatever rules come before", () => {
  const own: Rules = { edit: "allow", bash: "deny", "*": "allow" };
  const decisions = (mode: Mode) =>
    ["edit", "bash", "server_write"].map((tool) => decide([own, permissionsOf(mode)], tool));
  expect(decisions("ask")).toEqual(["ask", "ask", "ask"]);
  expect(decisions("auto-edit")).toEqual(["allow", "ask", "ask"]);
  expect(decisions("full-auto")).toEqual(["allow", "allow", "allow"]);
});

test("gives each mode a subagent with the same permissions, and asks before the user's own ones", () => {
  const helper = `${agentOf("ask", uuid)}-helper`;
  expect(decide([permissionsOf("ask")], "task", helper)).toBe("allow");
  expect(decide([permissionsOf("ask")], "task", "general")).toBe("ask");
  expect(configuration().agent[helper]).toMatchObject({ mode: "subagent", permission: { edit: "ask", task: "deny" } });
});

test("denies unreported tools to all agents", () => {
  expect(configuration()).toMatchObject({ permission: { question: "deny" } });
  for (const mode of ladder) expect(decide([permissionsOf(mode)], "question")).toBe("deny");
  const [part] = modeAgents({ variable: "X_CONFIG" }).kitParts(options);
  expect(JSON.parse(part?.env?.X_CONFIG ?? "{}").permission).toBeUndefined();
});

test("passes a kit's instructions and skills", () => {
  const servers = [{ name: "lamp", command: ["lampd"] }];
  const kit = { servers, skills: [{ name: "log", path: "/s/log" }], instructions: "Be brief." };
  const found = configuration({ kit: kit as unknown as NonNullable<LaunchOptions["kit"]> });
  expect(found.instructions).toEqual(["/run/prc_1/instructions.md"]);
  expect(found.skills).toEqual({ paths: ["/run/prc_1/skills"] });
});
