import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@gantry/client";
import type { Envelope } from "@gantry/protocol";
import { hermeticEnvironment, needs, type ScriptedModel, startScriptedModel, vendorBinary } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { Conversation } from "../harness/conversation.ts";
import { type DaemonProcess, startDaemonProcess } from "../harness/daemon-process.ts";
import { findBreaches } from "../harness/laws.ts";
import { processesOf } from "../harness/processes.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 400_000;

/** How a person runs each agent without Gantry: one prompt, no questions. */
type DirectRun = { args: (prompt: string) => string[]; input?: true; env?: Record<string, string> };
const directRuns: Record<string, DirectRun> = {
  claude: { args: (prompt) => ["-p", "--dangerously-skip-permissions", prompt] },
  codex: { args: (prompt) => ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", prompt] },
  // It adds quotes to a prompt from its command line, so the prompt goes to stdin.
  opencode: { args: () => ["run"], input: true, env: { OPENCODE_PERMISSION: '{"edit":"allow"}' } },
  gemini: { args: (prompt) => ["--yolo", "-p", prompt], env: { GEMINI_CLI_TRUST_WORKSPACE: "true" } },
  pi: { args: (prompt) => ["-p", prompt] },
};

/** Where each agent stores its conversations, relative to its home. */
const storage: Record<string, string> = {
  claude: ".claude/projects",
  codex: ".codex/sessions",
  opencode: ".local/share/opencode",
  gemini: ".gemini/tmp",
  pi: ".pi/agent/sessions",
};

let home = "";
let model: ScriptedModel;
let daemon: DaemonProcess | undefined;
let conversation: Conversation | undefined;

afterEach(async () => {
  conversation?.close();
  await daemon?.end("SIGTERM");
  await model?.close();
  for (const { pid } of processesOf(home)) process.kill(pid, "SIGKILL");
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
});

function runDirectly(
  how: DirectRun,
  prompt: string,
  program: string,
  cwd: string,
  own: Record<string, string>,
): Promise<string> {
  const env = { ...own, ...how.env };
  return new Promise((resolve, reject) => {
    const child = execFile(program, how.args(prompt), { cwd, env, timeout: 180_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${error.message}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
    child.stdin?.end(how.input ? prompt : undefined);
  });
}

/** Every file below a folder with its size and time. */
function traces(folder: string): string[] {
  return (readdirSync(folder, { recursive: true }) as string[])
    .map((name) => ({ name, ...statSync(join(folder, name)) }))
    .map(({ name, size, mtimeMs }) => `${name} ${size} ${mtimeMs}`)
    .sort();
}

describe.each(Object.keys(directRuns))("%s", (agent) => {
  test.skipIf(!areInstalled(agent))(
    "a conversation from outside Gantry is found, imported and continued",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-import-"));
      const folder = join(home, "project");
      mkdirSync(folder);
      mkdirSync(join(home, "gantry"), { mode: 0o700 });
      model = await startScriptedModel();
      const program = await vendorBinary({ agent, version: newestTarget(agent).version });
      const own = hermeticEnvironment({ agent, home, modelUrl: model.url, program });
      await runDirectly(directRuns[agent]!, "[[write]] remember the heron", program, folder, own);
      const before = traces(join(home, storage[agent] ?? ""));

      const bin = { [`GANTRY_${agent.toUpperCase()}_BIN`]: program };
      daemon = await startDaemonProcess({ ...own, GANTRY_HOME: join(home, "gantry"), ...bin });
      const client = createClient({ url: daemon.url, token: daemon.token });
      const { conversations, problems } = await client.imports.list({ agent });
      expect(problems).toEqual([]);
      expect(conversations).toHaveLength(1);
      expect(conversations[0]).toMatchObject({ agent, cwd: folder });
      expect(conversations[0]?.title).toBeTruthy();

      const id = conversations[0]?.id ?? "";
      const session = await client.imports.conversation({ agent, conversation: id });
      expect(session).toMatchObject({ origin: "import", turns: 1, cwd: folder, handles: { [agent]: id } });
      expect((await client.imports.conversation({ agent, conversation: id })).id).toBe(session.id);
      expect((await client.imports.list({ agent, cwd: folder })).conversations[0]?.imported).toBe(session.id);
      const { events } = await client.sessions.events(session.id, { limit: 1000 });
      expect(findBreaches(events)).toEqual([]);
      expect(texts(events)).toMatchObject({ user: ["[[write]] remember the heron"], tools: ["ok"] });
      expect(session.lastTurn?.outcome).toBe("completed");
      expect(traces(join(home, storage[agent] ?? "")), "nothing is written into the agent's own folders").toEqual(
        before,
      );

      const earlier = model.requests().length;
      conversation = await Conversation.follow(client, session.id, 150_000);
      await conversation.runTurn("[[text]] what was it?");
      const requests = model
        .requests()
        .slice(earlier)
        .filter(({ wire, side }) => wire && !side);
      const last = JSON.stringify(requests.at(-1)?.body);
      expect(last).toContain("what was it?");
      expect(last, "the model gets the earlier conversation").toContain("remember the heron");
      expect(last).toContain("hello.txt");
      expect(last, "from the agent's conversation and not from a brief").not.toContain(
        "This conversation started earlier",
      );
      expect((await client.sessions.get(session.id)).handles[agent]).toBeTruthy();
    },
  );
});

function texts(events: readonly Envelope[]): { user: string[]; replies: string[]; tools: string[] } {
  return {
    user: events.flatMap((event) => (event.type === "message.user" ? [event.data.text] : [])),
    replies: events.flatMap((event) => (event.type === "message.done" ? [event.data.text] : [])),
    tools: events.flatMap((event) => (event.type === "tool.ended" ? [event.data.status] : [])),
  };
}
