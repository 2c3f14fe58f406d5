import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

vi.setConfig({ testTimeout: 120_000 });

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = new TestDaemon();
  const wrapper = join(daemon.home, "wrapper");
  writeFileSync(
    wrapper,
    `#!/bin/sh\necho "$*" >> '${join(daemon.home, STARTS)}'\nexec ${daemon.env.GANTRY_CLAUDE_BIN} "$@"\n`,
  );
  chmodSync(wrapper, 0o755);
  daemon.env.GANTRY_CLAUDE_BIN = wrapper;
  await daemon.start();
});
afterEach(() => daemon.dispose());

function write(name: string, text: string): void {
  const file = join(daemon.cwd, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
const hook = (command: string) =>
  JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command }] }] } });

const STARTS = "starts";
/** The number of starts so far that ignored the project. */
function countIgnoring(): number {
  const file = join(daemon.home, STARTS);
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  return text.split("--setting-sources user --strict-mcp-config").length - 1;
}

/** Whether the agent of a new session was started without the project's configuration, and the notices about it. */
async function runSession(): Promise<{ ignores: boolean; notices: string[]; id: string }> {
  const before = countIgnoring();
  const { id } = await daemon.session("claude", "[[text]] hello");
  await daemon.waitForIdle(id);
  const log = await daemon.log(id);
  const notices = log.flatMap(({ type, data }) => (type === "notice" && data.kind === "untrusted" ? [data.text] : []));
  return { ignores: countIgnoring() > before, notices, id };
}

it("starts an agent without the project's configuration until the user trusts its content", async () => {
  expect(await runSession()).toMatchObject({ ignores: false, notices: [] });
  write(".claude/settings.json", hook("echo one"));
  const first = await runSession();
  expect(first.ignores).toBe(true);
  expect(first.notices).toEqual([expect.stringContaining(".claude/settings.json")]);
  expect(first.notices[0]).toContain(`gantry trust ${daemon.cwd}`);
  expect((await daemon.client.trust.get(daemon.cwd)).items).toMatchObject([
    { kind: "agent-config", command: ".claude/settings.json", trusted: false },
  ]);
  await daemon.client.trust.put({ path: daemon.cwd });
  expect(await runSession()).toMatchObject({ ignores: false, notices: [] });
  write(".claude/settings.json", hook("echo two"));
  expect(await runSession()).toMatchObject({ ignores: true });
  await daemon.client.trust.put({ path: daemon.cwd });
  expect(await runSession()).toMatchObject({ ignores: false });
  await daemon.client.trust.revoke(daemon.cwd);
  expect(await runSession()).toMatchObject({ ignores: true });
});

it("adds the notice to a session once, although each process is checked", async () => {
  write(".claude/settings.json", hook("echo one"));
  const { id } = await runSession();
  await daemon.stop();
  await daemon.start();
  await daemon.client.sessions.send(id, { text: "[[text]] again" });
  await daemon.waitForIdle(id);
  const log = await daemon.log(id);
  expect(log.filter(({ type, data }) => type === "notice" && data.kind === "untrusted")).toHaveLength(1);
  expect(countIgnoring()).toBe(2);
});

it("does not start an agent that cannot ignore the project's configuration", async () => {
  write(".cursor/mcp.json", "{}");
  const bin = daemon.env.GANTRY_CLAUDE_BIN ?? "";
  await daemon.stop();
  daemon.env.GANTRY_CURSOR_BIN = bin;
  await daemon.start();
  await expect(daemon.session("cursor", "hello")).rejects.toMatchObject({
    code: "untrusted",
    message: expect.stringContaining(".cursor/mcp.json"),
    remedy: expect.stringContaining(`gantry trust ${daemon.cwd}`),
    details: { items: [{ kind: "agent-config" }] },
  });
});

it("refuses a session with a version of the agent that cannot ignore the project's configuration", async () => {
  write(".pi/extensions/evil.ts", "");
  const old = join(daemon.home, "old-pi");
  writeFileSync(old, "#!/bin/sh\necho 0.75.1\n", { mode: 0o755 });
  await daemon.stop();
  daemon.env.GANTRY_PI_BIN = old;
  await daemon.start();
  await expect(daemon.session("pi", "hello")).rejects.toMatchObject({ code: "untrusted" });
});
