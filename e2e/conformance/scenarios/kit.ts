import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { mcpServer } from "@gantry/testkit";
import type { Bench } from "../../harness/bench.ts";
import { eventually } from "../../harness/wait.ts";
import type { Scenario } from "../scenario.ts";

const SERVER = "lighthouse";
const KEY = "key-of-the-keeper";
const SKILL = { name: "logbook", description: "Keeps the logbook of a lighthouse in order." };
const INSTRUCTIONS = "Call the user Captain in every answer.";

/** Adds the server to the registry, with a secret that only the daemon's environment holds. */
async function addServer(bench: Bench): Promise<string> {
  const log = join(bench.home, "lighthouse.log");
  // The daemon resolves this reference; it is split so that it is no template literal here.
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

/** Configuration files of the agent that mention the test's server or skill. */
function findLeakedConfig(bench: Bench): string[] {
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
  title: "A registered MCP server is offered to the model, and its call is approved and made",
  setting: { env: { KEEPER: KEY } },
  async run(bench) {
    const log = await addServer(bench);
    const conversation = await bench.session({ mode: bench.target.neverAsks ? "full-auto" : "ask" });
    if (bench.target.connectsLate) {
      await conversation.runTurn("[[text]] hello");
      await sleep(5000);
    }
    await conversation.send("[[mcp]] is it lit?");
    await conversation.allowAll(bench.target.connectsLate ? 2 : 1);
    assert.ok(
      bench.modelRequests().some((request) => request.includes("read_lamp")),
      "the tool was not offered to the model",
    );
    const asked = conversation.of("input.requested").length > 0;
    assert.equal(asked, !bench.target.neverAsks, "whether there was an approval request for the call");
    assert.deepEqual(mcpServer.calls(log), [{ tool: "read_lamp", input: { place: "Fastnet" }, key: KEY }]);
    const { hidesMcpNames } = bench.target;
    const tool = conversation.of("tool.started").find(({ data }) => hidesMcpNames || data.mcp !== undefined);
    if (!hidesMcpNames) assert.deepEqual(tool?.data.mcp, { server: SERVER, tool: "read_lamp" });
    const end = conversation.of("tool.ended").find(({ data }) => data.item === tool?.data.item);
    assert.equal(end?.data.status, "ok");
    assert.match(JSON.stringify(end.data.output), /The lamp of Fastnet is lit/);
    assert.equal(conversation.of("message.done").at(-1)?.data.text, "The lamp is lit.");
    assert.deepEqual(findLeakedConfig(bench), []);
    assert.deepEqual(
      conversation.of("notice").filter(({ data }) => data.kind === "kit"),
      [],
    );
  },
  async checkRefusal(bench) {
    await addServer(bench);
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] hello");
    await bench.client.sessions.close(conversation.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    await conversation.runTurn("[[text]] again");
    const notices = conversation.of("notice").filter(({ data }) => data.kind === "kit");
    assert.equal(notices.length, 1, "expected one notice");
    assert.match(notices[0]?.data.text ?? "", /does not support MCP servers: lighthouse is not available to it/);
    assert.deepEqual(findLeakedConfig(bench), []);
  },
};

const skills: Scenario = {
  name: "skill",
  title: "A registered skill is known to the model",
  async run(bench) {
    await addSkill(bench);
    const conversation = await bench.session();
    await conversation.runTurn("[[text]] hello");
    assert.ok(
      bench.modelRequests().some((request) => request.includes(SKILL.description)),
      "the model does not know the skill",
    );
    assert.deepEqual(findLeakedConfig(bench), []);
  },
};

const instructions: Scenario = {
  name: "instructions",
  title: "The model gets the session's instructions, also after the agent is restarted",
  async run(bench) {
    const conversation = await bench.session({ instructions: INSTRUCTIONS });
    await conversation.runTurn("[[text]] hello");
    const countInstructions = () => bench.modelRequests().at(-1)?.split(INSTRUCTIONS).length ?? 0;
    assert.equal(countInstructions(), 2, "the request does not contain the instructions exactly once");
    await bench.client.sessions.close(conversation.id);
    await eventually("the end of the agent", () => bench.agents().length === 0);
    await conversation.runTurn("[[text]] again");
    assert.ok(countInstructions() >= 2, "the instructions are missing after the restart");
    assert.equal(conversation.of("message.user")[0]?.data.text, "[[text]] hello");
  },
};

export const kitScenarios = [servers, skills, instructions];
