import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { mcpServer } from "@gantry/testkit";
import type { Bench } from "../../harness/bench.ts";
import type { Conversation } from "../../harness/conversation.ts";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

const SERVER = "lighthouse";
const KEY = "key-of-the-keeper";
const SKILL = { name: "logbook", description: "Keeps the logbook of a lighthouse in order." };
const INSTRUCTIONS = "Call the user Captain in every answer.";

/** Allows whatever is asked until the turn ends. */
async function allowAll(talk: Conversation): Promise<void> {
  const answered = new Set<string>();
  await talk.until("the end of the turn", () => {
    for (const { data } of talk.of("input.requested")) {
      if (answered.has(data.id)) continue;
      answered.add(data.id);
      void talk.answer(data, { decision: "allow" });
    }
    return talk.of("turn.ended")[0];
  });
}

/** Puts the server into the registry, with a secret that stands in the daemon's environment alone. */
async function addServer(bench: Bench): Promise<string> {
  const log = join(bench.home, "lighthouse.log");
  // A reference for the daemon to fill in, not for us.
  const env = { LIGHTHOUSE_LOG: log, LIGHTHOUSE_KEY: ["$", "{KEEPER}"].join("") };
  await bench.client.servers.put(SERVER, { command: mcpServer.command, env });
  return log;
}

async function addSkill(bench: Bench): Promise<void> {
  const path = join(bench.home, "mine", SKILL.name);
  mkdirSync(path, { recursive: true });
  writeFileSync(
    join(path, "SKILL.md"),
    `---\nname: ${SKILL.name}\ndescription: ${SKILL.description}\n---\n\nWrite one line a day.\n`,
  );
  await bench.client.skills.put(SKILL.name, path);
}

/** Files in which an agent keeps its own servers and skills, as far as they name ours. */
function configured(bench: Bench): string[] {
  const settings = /(^|\/)\.?(claude|config|settings|mcp|models|opencode|mcp[-_]config)[^/]*\.(jsonc?|toml|ya?ml)$/;
  const own = /^(gantry|project|mine|tmp)\//;
  const files = readdirSync(bench.home, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.isSymbolicLink())
    .map((entry) => join(relative(bench.home, entry.parentPath), entry.name))
    .filter((path) => !own.test(path));
  const naming = files.filter((path) => {
    if (path.includes(`skills/${SKILL.name}`)) return true;
    return settings.test(path) && /lighthouse|logbook/.test(readFileSync(join(bench.home, path), "utf8"));
  });
  return naming;
}

const servers: Scenario = {
  name: "mcp-server",
  title: "An MCP server that was added once is offered to the model, asked for, and called",
  setting: { env: { KEEPER: KEY } },
  async run(bench) {
    const log = await addServer(bench);
    const talk = await bench.session({ prompt: "[[mcp]] is it lit?" });
    await allowAll(talk);
    assert.ok(
      bench.asked().some((request) => request.includes("read_lamp")),
      "the tool was not offered to the model",
    );
    assert.ok(talk.of("input.requested").length > 0, "the call was not asked for");
    assert.deepEqual(mcpServer.calls(log), [{ tool: "read_lamp", input: { place: "Fastnet" }, key: KEY }]);
    const tool = talk.of("tool.started").find(({ data }) => data.mcp !== undefined);
    assert.deepEqual(tool?.data.mcp, { server: SERVER, tool: "read_lamp" });
    const end = talk.of("tool.ended").find(({ data }) => data.item === tool?.data.item);
    assert.equal(end?.data.status, "ok");
    assert.match(JSON.stringify(end.data.output), /The lamp of Fastnet is lit/);
    assert.equal(talk.of("message.done").at(-1)?.data.text, "The lamp is lit.");
    assert.deepEqual(configured(bench), []);
    assert.deepEqual(
      talk.of("notice").filter(({ data }) => data.kind === "kit"),
      [],
    );
  },
  async refused(bench) {
    await addServer(bench);
    const talk = await bench.session();
    await talk.completes("[[text]] hello");
    await bench.client.sessions.close(talk.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    await talk.completes("[[text]] again");
    const told = talk.of("notice").filter(({ data }) => data.kind === "kit");
    assert.equal(told.length, 1, "it is told once");
    assert.match(told[0]?.data.text ?? "", /does not support MCP servers: lighthouse is not available to it/);
    assert.deepEqual(configured(bench), []);
  },
};

const skills: Scenario = {
  name: "skill",
  title: "A skill that was added once is known to the model",
  async run(bench) {
    await addSkill(bench);
    const talk = await bench.session();
    await talk.completes("[[text]] hello");
    assert.ok(
      bench.asked().some((request) => request.includes(SKILL.description)),
      "the model does not know of the skill",
    );
    assert.deepEqual(configured(bench), []);
  },
};

const instructions: Scenario = {
  name: "instructions",
  title: "A session's instructions are before the model, also after the agent was started anew",
  async run(bench) {
    const talk = await bench.session({ instructions: INSTRUCTIONS });
    await talk.completes("[[text]] hello");
    const seen = () => bench.asked().at(-1)?.split(INSTRUCTIONS).length ?? 0;
    assert.equal(seen(), 2, "the instructions are not before the model exactly once");
    await bench.client.sessions.close(talk.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    await talk.completes("[[text]] again");
    assert.ok(seen() >= 2, "the instructions are gone");
    assert.equal(talk.of("message.user")[0]?.data.text, "[[text]] hello");
  },
};

export const kitScenarios = [servers, skills, instructions];
