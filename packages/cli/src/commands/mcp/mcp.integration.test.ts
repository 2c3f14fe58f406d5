import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@gantry/client";
import { discover } from "@gantry/client/node";
import { Client, type Progress } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const main = fileURLToPath(new URL("../../main.ts", import.meta.url));
const home = mkdtempSync(join(tmpdir(), "gantry-mcp-"));
const cwd = realpathSync(mkdtempSync(join(tmpdir(), "gantry-mcp-work-")));
const gantry = commandLine(home);
const SLOW = 120_000;

beforeAll(async () => {
  execFileSync("git", ["init", "-q", "-b", "main"], { cwd });
  execFileSync("git", ["config", "user.name", "a"], { cwd });
  execFileSync("git", ["config", "user.email", "a@b.c"], { cwd });
  execFileSync("git", ["commit", "-q", "--allow-empty", "-m", "first"], { cwd });
  expect((await gantry(["ls"])).status).toBe(0);
}, SLOW);

afterAll(async () => {
  await gantry(["stop", "--release"]);
  rmSync(home, { recursive: true, force: true });
  rmSync(cwd, { recursive: true, force: true });
}, SLOW);

const open: Client[] = [];
afterEach(async () => {
  for (const client of open.splice(0)) await client.close();
});

type Env = Record<string, string>;

/** The official client, connected to `gantry mcp`. */
async function connect(args: string[] = [], env: Env = {}, onToolsChanged?: () => void): Promise<Client> {
  const listChanged = onToolsChanged && { tools: { autoRefresh: false, onChanged: onToolsChanged } };
  const client = new Client({ name: "test", version: "1" }, listChanged ? { listChanged } : {});
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--disable-warning=ExperimentalWarning", main, "mcp", ...args],
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", GANTRY_HOME: home, ...env },
    cwd,
    stderr: "ignore",
  });
  open.push(client);
  await client.connect(transport);
  return client;
}

// biome-ignore lint/suspicious/noExplicitAny: the output schemas are checked by the client itself
type Data = any;

async function call(client: Client, name: string, args: object, onprogress?: (progress: Progress) => void) {
  const result = await client.callTool(
    { name, arguments: { ...args } },
    { timeout: SLOW, resetTimeoutOnProgress: true, ...(onprogress ? { onprogress } : {}) },
  );
  const text = (result.content as { text: string }[])[0]?.text ?? "";
  return { isError: result.isError === true, text, data: result.structuredContent as Data };
}

it(
  "starts two sessions in lanes, waits with progress, reads their diffs and compares the lanes",
  async () => {
    const client = await connect();
    const starts = ["one", "two"].map((lane, at) => ({
      ...{ agent: "scripted", mode: "full-auto", lane, id: `ses_mcp_${lane}` },
      prompt: at === 0 ? "[[write]] go" : "[[multi]] go",
    }));
    const sessions = [];
    for (const start of starts) sessions.push((await call(client, "start_session", start)).data.session);
    // A repeated call finds the same session and lane.
    expect((await call(client, "start_session", starts[0] ?? {})).data.session.id).toBe(sessions[0].id);
    const progress: Progress[] = [];
    for (const { id } of sessions) {
      const waited = await call(client, "wait_for_session", { session: id }, (one) => progress.push(one));
      expect(waited).toMatchObject({ isError: false, data: { session: id, state: "completed" } });
    }
    for (const { id, lane } of sessions) {
      const read = await call(client, "read_session", { session: id, part: "diff" });
      expect(read.data.changes).toMatchObject({ of: lane });
      const resource = await client.readResource({ uri: `gantry://session/${id}/diff` });
      expect((resource.contents[0] as { text: string }).text).toContain(lane);
    }
    expect(
      (await call(client, "read_session", { session: sessions[0].id, part: "diff" })).data.changes.patch,
    ).toContain("+hello world");
    const compared = await call(client, "compare_lanes", { lanes: ["one", "two"], patch: true });
    expect(compared.data.lanes.map(({ lane }: Data) => lane)).toEqual(sessions.map(({ lane }) => lane));
    expect(compared.data.lanes[0].files).toMatchObject([{ path: "hello.txt", kind: "add" }]);
    const waited = await call(
      client,
      "send_message",
      { session: sessions[0].id, text: "[[slow:5:20]] more", wait: true },
      (one) => progress.push(one),
    );
    expect(waited.data).toMatchObject({ disposition: "started", result: { state: "completed" } });
    expect(progress.length).toBeGreaterThan(0);
    expect(progress.map((one) => one.message).join("\n")).toContain("[[slow:5:20]] more");
  },
  SLOW,
);

it(
  "continues to wait when the daemon is killed, and starts it again",
  async () => {
    const client = await connect();
    const { data } = await call(client, "start_session", { agent: "scripted", prompt: "[[slow:200:20]] go", cwd });
    const started = Promise.withResolvers<void>();
    const waiting = call(client, "wait_for_session", { session: data.session.id }, () => started.resolve());
    await started.promise;
    const { pid } = JSON.parse(readFileSync(join(home, "daemon.json"), "utf8"));
    process.kill(pid, "SIGKILL");
    expect((await waiting).data).toMatchObject({ state: "completed" });
    expect(JSON.parse(readFileSync(join(home, "daemon.json"), "utf8")).pid).not.toBe(pid);
  },
  SLOW,
);

it(
  "ends a wait at its deadline or when the client cancels it, and leaves the session running",
  async () => {
    const client = await connect();
    const { data } = await call(client, "start_session", { agent: "scripted", prompt: "[[hang]] go", cwd });
    const session = data.session.id;
    expect((await call(client, "wait_for_session", { session, seconds: 0.2 })).data.state).toBe("running");
    const cancel = new AbortController();
    const waiting = client.callTool(
      { name: "wait_for_session", arguments: { session } },
      { signal: cancel.signal, onprogress: () => cancel.abort() },
    );
    await expect(waiting).rejects.toThrow();
    expect((await call(client, "interrupt_session", { session })).data).toMatchObject({ interrupted: true });
    expect((await call(client, "wait_for_session", { session })).data.state).toBe("interrupted");
  },
  SLOW,
);

it(
  "reports what a session waits for, and answers it only with the grant in the set-up",
  async () => {
    const client = await connect();
    const started = await call(client, "start_session", {
      ...{ agent: "scripted", prompt: "[[write]] go", mode: "ask", cwd, wait: true },
    });
    const { result } = started.data;
    expect(result).toMatchObject({ state: "waiting", inputs: [{ kind: "approval" }] });
    const answer = { input: result.inputs[0].id, decision: "allow" };
    expect(await call(client, "answer_input", answer)).toMatchObject({ isError: true });
    const names = async (one: Client) => (await one.listTools()).tools.map(({ name }) => name);
    expect(await names(client)).not.toContain("answer_input");
    const lead = await connect(["--lead"]);
    expect(await names(lead)).toEqual(expect.arrayContaining(["answer_input", "land_lane"]));
    expect(await call(lead, "answer_input", answer)).toMatchObject({ isError: false });
    expect((await call(lead, "wait_for_session", { session: result.session })).data.state).toBe("completed");
  },
  SLOW,
);

it(
  "pages through a long transcript without a gap, and lists and completes resources and prompts",
  async () => {
    const client = await connect();
    const { data } = await call(client, "start_session", { agent: "scripted", prompt: "[[text]] 0", cwd, wait: true });
    const session = data.session.id;
    for (let turn = 1; turn <= 8; turn += 1)
      await call(client, "send_message", { session, text: `[[text]] ${turn} ${"x".repeat(200)}`, wait: true });
    const whole = (await call(client, "read_session", { session, max_chars: 200_000 })).data;
    expect(whole.older).toBeUndefined();
    const backwards: Data[] = [];
    for (let before: number | undefined; ; ) {
      const page = (await call(client, "read_session", { session, max_chars: 500, before })).data;
      backwards.unshift(...page.entries);
      before = page.older;
      if (before === undefined) break;
    }
    const forwards: Data[] = [];
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Data = (await call(client, "read_session", { session, max_chars: 500, after })).data;
      forwards.push(...page.entries);
      after = page.newer;
    }
    expect(backwards).toEqual(whole.entries);
    expect(forwards).toEqual(whole.entries);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain(`gantry://session/${session}/transcript`);
    const ref = { type: "ref/resource" as const, uri: "gantry://session/{session}/diff" };
    const { completion } = await client.complete({ ref, argument: { name: "session", value: session } });
    expect(completion.values).toEqual([session]);
    const prompt = await client.getPrompt({ name: "delegate_task", arguments: { task: "Fix it", agent: "scripted" } });
    expect(JSON.stringify(prompt.messages)).toContain("the agent scripted");
    await expect(client.readResource({ uri: "gantry://session/ses_none/diff" })).rejects.toThrow();
  },
  SLOW,
);

it(
  "never runs with the owner's token for a session whose token is missing",
  async () => {
    const refused = await gantry(["mcp", "--session", "ses_unknown"]);
    expect(refused).toMatchObject({ status: 3, stdout: "" });
    expect(refused.stderr).toContain("no token of ses_unknown");
  },
  SLOW,
);

it(
  "has the rights of a session with its token, and notifies the client when a person grants more",
  async () => {
    const made = JSON.parse(
      (await gantry(["run", "--detach", "--json", "-a", "scripted", "[[text]] hi"], { cwd })).stdout,
    );
    const { url, token: owner } = discover(home);
    const daemon = createClient({ url, token: owner });
    const file = join(cwd, "token-of-session");
    const command = ["sh", "-c", `echo "$GANTRY_TOKEN" > ${file}.part && mv ${file}.part ${file}`];
    await daemon.terminals.open({ session: made.id, command });
    await expect.poll(() => existsSync(file), { timeout: 30_000 }).toBe(true);
    const env = { GANTRY_URL: url, GANTRY_TOKEN: readFileSync(file, "utf8").trim() };
    rmSync(file);
    let changes = 0;
    const client = await connect(["--session", made.id], env, () => {
      changes += 1;
    });
    const names = async () => (await client.listTools()).tools.length;
    expect(await names()).toBe(9);
    // The owner's switch grants a session nothing.
    expect(await (await connect(["--lead"], env)).listTools()).toMatchObject({ tools: { length: 9 } });
    const { data } = await call(client, "list_sessions", {});
    expect(data.sessions.map(({ id }: Data) => id)).toEqual([made.id]);
    for (const lead of [true, false]) {
      const before = changes;
      await daemon.sessions.patch(made.id, { lead });
      await expect.poll(() => changes, { timeout: 30_000 }).toBe(before + 1);
      expect(await names()).toBe(lead ? 11 : 9);
    }
  },
  SLOW,
);
