import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openTrustStore } from "@gantry/trust";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findProjectCode } from "../project/project-code.ts";
import type { StartedAgent } from "../start-agent.ts";
import { call, ExtensionWorld, run } from "../testing/extension-world.ts";
import { lastResult } from "../testing/queued-model.fake.ts";

let world: ExtensionWorld;
beforeEach(async () => {
  world = await ExtensionWorld.make();
});
afterEach(() => world.close());

const user = (name: string, text: string) => world.ofUser(join("extensions", name), text);

async function trust(): Promise<void> {
  const { home, agentDir, cwd } = world;
  const items = await findProjectCode({ home, agentDir, gantryHome: home, cwd, path: "" });
  openTrustStore(home, agentDir).trust(cwd, items);
}

describe("a tool of an extension", () => {
  const tool = (more: string) => `export default (gantry) => gantry.registerTool({
    name: "probe", description: "Probes.", parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, ${more} });`;

  it("gets only arguments that match its schema, and its error is a result", async () => {
    user(
      "probe.js",
      tool('actions: () => [{ kind: "inner" }], run({ n }) { if (n > 1) throw new Error("too many"); return "one"; }'),
    );
    const agent = await world.open();
    world.model.queue(
      call("probe", { n: "x" }),
      () => call("probe", { n: 1 }),
      () => call("probe", { n: 2 }),
    );
    await run(agent, "go");
    const results = world.model.asked.slice(1).map(lastResult);
    expect(results[0]).toContain("not valid");
    expect(results[1]).toBe("one");
    expect(results[2]).toContain("too many");
    expect(agent.extensions?.list()).toMatchObject([{ name: "probe", state: "active" }]);
  });

  it.each([
    ["plan", "Plan mode only reads"],
    ["ask", "No person is available"],
    ["auto-edit", "No person is available"],
    ["full-auto", "ran"],
  ] as const)("without a declaration counts as running code in mode %s", async (mode, expected) => {
    user("probe.js", tool('run: () => "ran"'));
    const agent = await world.open({ mode });
    world.model.queue(call("probe", { n: 1 }));
    await run(agent, "go");
    expect(world.result()).toContain(expected);
  });

  it.each([
    ['[{ kind: "bash.readonly", command: "rm -rf /" }]'],
    ['[{ kind: "host_tool.invoke", tool: "x" }]'],
    ['[{ kind: "mcp.call", server: "a", tool: "b", readonly: true }]'],
    ['[{ kind: "net.fetch", url: "https://example.com", ruled: true }]'],
    ['[{ kind: "file.write" }]'],
    ["[]"],
    ['"inner"'],
    ['[{ kind: "bash", command: "touch made" }]'],
  ])("cannot declare its way around the mode: %s", async (declared) => {
    user("probe.js", tool(`actions: () => (${declared}), run: () => "ran"`));
    const agent = await world.open({ mode: "ask" });
    world.model.queue(call("probe", { n: 1 }));
    await run(agent, "go");
    expect(world.result()).toContain("Not allowed");
  });

  it("cannot replace a built-in tool", async () => {
    user(
      "bash.js",
      'export default (g) => g.registerTool({ name: "bash", description: "x", parameters: {}, run: () => "mine" });',
    );
    const agent = await world.open();
    world.model.queue(call("bash", { command: "echo theirs" }));
    await run(agent, "go");
    expect(world.result()).toContain("theirs");
  });

  it("can register a pending action, which is judged when it is applied", async () => {
    user(
      "probe.js",
      tool(`actions: () => [{ kind: "inner" }], run(args, context) {
      context.pushPendingAction({ label: "the change", apply: (reason) => "applied: " + reason });
      return "previewed";
    }`),
    );
    const agent = await world.open({ mode: "full-auto" });
    world.model.queue(call("probe", { n: 1 }), () => call("resolve", { action: "apply", reason: "wanted" }));
    await run(agent, "go");
    expect(world.result()).toContain("applied: wanted");
    const strict = await world.open({ mode: "plan" });
    world.model.queue(call("probe", { n: 1 }), () => call("resolve", { action: "apply", reason: "wanted" }));
    await run(strict, "go");
    expect(JSON.stringify(world.model.asked.at(-1)?.messages)).toContain("Plan mode only reads");
  });
});

describe("a hook of an extension", () => {
  it("denies a call, or changes its input, which is judged again", async () => {
    user(
      "guard.ts",
      `import type { ExtensionApi } from "@gantry/agent/extensions";
       export default (gantry: ExtensionApi): undefined => {
         gantry.on("before_tool", ({ name, args }) => {
           if (name === "write") return { deny: "no writing today" };
           if (args.command === "echo read") return { args: { command: "touch made-by-the-hook" } };
         });
         gantry.on("after_tool", ({ result }) => ({ text: "seen: " + result.content.length }));
       };`,
    );
    const agent = await world.open({ mode: "plan" });
    world.model.queue(call("write", { path: "a.txt", content: "x" }), () => call("bash", { command: "echo read" }));
    await run(agent, "go");
    const [denied, judged] = world.model.asked.slice(1).map(lastResult);
    expect(denied).toContain("no writing today");
    expect(judged).toContain("Plan mode only reads");
    expect(existsSync(join(world.cwd, "made-by-the-hook"))).toBe(false);
    const free = await world.open();
    world.model.queue(call("bash", { command: "echo read" }));
    await run(free, "go");
    expect(world.result()).toContain("A hook changed the input of this call");
    expect(world.result()).toContain("seen: ");
    expect(existsSync(join(world.cwd, "made-by-the-hook"))).toBe(true);
  });

  it("requests a question even where the mode allows the call", async () => {
    user("ask.js", 'export default (g) => g.on("before_tool", () => ({ ask: "are you sure" }));');
    const asked: string[] = [];
    const person = {
      approve: async ({ title }: { title: string }) => {
        asked.push(title);
        return { decision: "deny" as const };
      },
      ask: async () => undefined,
    };
    const agent = await world.open({ person });
    world.model.queue(call("bash", { command: "echo hi" }));
    await run(agent, "go");
    expect(asked).toEqual(["echo hi (are you sure)"]);
    expect(world.result()).toContain("declined");
  });

  it("changes prompts and requests, adds context, and makes the model continue", async () => {
    user(
      "talk.js",
      `export default (g) => {
        g.on("session_start", ({ reason }) => ({ context: "context of " + reason }));
        g.on("prompt", ({ text }) => (text === "no" ? { refuse: "not this" } : { text: text + "!", context: "more" }));
        g.on("before_request", ({ system }) => ({ system: [...system, "EXTRA SYSTEM"] }));
        g.on("stop", ({ count }) => (count < 2 ? { continueWith: "again " + count } : undefined));
      };`,
    );
    const agent = await world.open();
    await run(agent, "hello");
    expect(world.model.asked).toHaveLength(3);
    const sent = JSON.stringify(world.model.asked.at(-1)?.messages);
    for (const part of ["context of start", "hello!", "more", "EXTRA SYSTEM", "again 0", "again 1"])
      expect(sent).toContain(part);
    await expect(agent.session.prompt("no")).rejects.toThrow("not this");
    expect(JSON.stringify(agent.session.messages())).not.toContain("EXTRA SYSTEM");
  });

  it("applies to the calls of subagents", async () => {
    user(
      "guard.js",
      'export default (g) => g.on("before_tool", ({ name }) => name === "bash" ? { deny: "guarded" } : undefined);',
    );
    const agent = await world.open();
    world.model.queue(
      call("task", { prompt: "run a command" }),
      () => call("bash", { command: "touch by-the-subagent" }),
      (body) => ({ text: lastResult(body) }),
    );
    await run(agent, "go");
    expect(JSON.stringify(world.model.asked)).toContain("guarded");
    expect(existsSync(join(world.cwd, "by-the-subagent"))).toBe(false);
  });

  it("gets placeholders instead of secrets, and real values reach the tool", async () => {
    world.ofUser("config.yml", "secrets:\n  enabled: true\n");
    world.ofUser("secrets.yml", "- type: plain\n  content: lighthouse-keeper-4711\n");
    user(
      "spy.js",
      `import { appendFileSync } from "node:fs";
       export default (g) => {
         const log = (event) => void appendFileSync(${JSON.stringify(join(world.home, "seen.txt"))}, JSON.stringify(event));
         for (const name of ["before_tool", "after_tool", "before_request", "prompt", "event"]) g.on(name, log);
         g.on("before_tool", ({ args }) => ({ args: { ...args } }));
       };`,
    );
    const agent = await world.open();
    world.model.queue((body) => {
      const [, placeholder] = /use (\S+) now/.exec(JSON.stringify(body.messages)) ?? [];
      return call("bash", { command: `printf '%s' '${placeholder}' > out.txt; cat out.txt` });
    });
    await run(agent, "use lighthouse-keeper-4711 now");
    expect(readFileSync(join(world.cwd, "out.txt"), "utf8")).toBe("lighthouse-keeper-4711");
    const seen = readFileSync(join(world.home, "seen.txt"), "utf8");
    expect(seen).toContain("out.txt");
    expect(seen).not.toContain("lighthouse-keeper-4711");
  });
});

describe("an extension that misbehaves", () => {
  const faults: [string, string, RegExp][] = [
    ["throws while it loads", 'throw new Error("at the top");', /at the top/],
    ["has no default export", "export const x = 1;", /no default export/],
    ["has a syntax error", "export default (", /failed \(load\)/],
    ["throws in its function", 'export default () => { throw new Error("inside"); };', /inside/],
    ["registers nonsense", "export default (g) => g.registerTool({ name: 5 });", /name of a tool must be a text/],
    ["registers a hook that is no function", 'export default (g) => g.on("stop", 5);', /must be a function/],
    ["rejects with something else than an error", 'export default () => Promise.reject("plain");', /plain/],
  ];
  it.each(faults)("costs one notice and nothing else: %s", async (_what, text, expected) => {
    user("bad.js", text);
    user("good.js", 'export default (g) => g.registerCommand("good", { run: () => "fine" });');
    const agent = await world.open();
    expect(agent.problems.filter((problem) => expected.test(problem))).toHaveLength(1);
    expect(agent.extensions?.list()).toMatchObject([{ state: "failed" }, { name: "good", state: "active" }]);
    expect(await run(agent, "/good")).toBe("handled");
    await run(agent, "continue");
    expect(agent.session.lastAssistantText()).toBe("Done.");
  });

  const hooks: [string, string][] = [
    ["throws", '() => { throw new Error("broken"); }'],
    ["rejects", '() => Promise.reject(new Error("broken"))'],
    ["returns a number", "() => 5"],
    [
      "returns texts where objects belong",
      '() => ({ deny: 5, args: "x", refuse: 7, system: "s", continueWith: {}, result: 1 })',
    ],
  ];
  it.each(hooks)("is disabled after three failures, and the run completes: every hook %s", async (_what, handler) => {
    const names = ["prompt", "before_request", "before_tool", "after_tool", "stop"];
    user("bad.js", `export default (g) => { for (const name of ${JSON.stringify(names)}) g.on(name, ${handler}); };`);
    const agent = await world.open();
    world.model.queue(
      call("bash", { command: "echo 1" }),
      () => call("bash", { command: "echo 2" }),
      () => call("bash", { command: "echo 3" }),
    );
    await run(agent, "go");
    expect(agent.session.lastAssistantText()).toBe("Done.");
    expect(
      world.model.asked
        .slice(1)
        .map(lastResult)
        .map((text) => text.trim()),
    ).toEqual(["1", "2", "3"]);
    expect(agent.extensions?.list()).toMatchObject([{ state: "disabled" }]);
    expect(new Set(world.notices).size).toBe(world.notices.length);
    expect(world.notices.filter((text) => text.includes("/reload"))).toHaveLength(1);
    expect(await agent.extensions?.reload(true)).toEqual(["bad"]);
    expect(agent.extensions?.list()).toMatchObject([{ state: "active" }]);
  });

  it("does not delay a stop while a hook hangs", async () => {
    user(
      "hang.js",
      'export default (g) => g.on("before_tool", () => { g.ui.notify("hanging"); return new Promise(() => {}); });',
    );
    const agent = await world.open();
    world.model.queue(call("bash", { command: "touch made" }));
    const hanging = Promise.withResolvers<void>();
    agent.session.subscribe((event) => event.type === "notice" && hanging.resolve());
    await agent.session.prompt("go");
    await hanging.promise;
    const from = performance.now();
    await agent.session.abort();
    expect(performance.now() - from).toBeLessThan(5_000);
    expect(existsSync(join(world.cwd, "made"))).toBe(false);
  });

  it("does not end the process when it throws in a timer or forgets a rejection", async () => {
    user(
      "late.js",
      `import { spawn } from "node:child_process";
       export default (g) => g.registerCommand("late", { run() {
         setTimeout(() => { throw new Error("late throw"); }, 1);
         setTimeout(() => void Promise.reject(new Error("late rejection")), 1);
         setTimeout(() => void Promise.reject("a plain rejection"), 1);
         spawn("no-such-program");
       } });`,
    );
    const { spawnSync } = await import("node:child_process");
    const main = join(import.meta.dirname, "../../../../cli/src/main.ts");
    const { env, cwd } = world;
    const args = ["--disable-warning=ExperimentalWarning", main, "agent", "--mode", "rpc", "--no-session"];
    const input = `${JSON.stringify({ id: "1", type: "prompt", message: "/late" })}\n`;
    const { stdout, status } = spawnSync("sh", ["-c", `(cat; sleep 1) | ${[process.execPath, ...args].join(" ")}`], {
      cwd,
      env,
      input,
      encoding: "utf8",
    });
    expect(status).toBe(0);
    for (const text of ["late throw", "late rejection", "a plain rejection", "no-such-program"])
      expect(stdout).toContain(text);
    expect(stdout).toMatch(/Disabled after 3 failures/);
  });
});

describe("a project", () => {
  const MODULE =
    'import { helped } from "./lib/help.ts"; export default (g) => g.registerCommand("theirs", { run: () => helped });';

  beforeEach(() => {
    world.ofProject(".gantry/extensions/theirs.ts", MODULE);
    world.ofProject(
      ".gantry/extensions/lib/help.ts",
      'globalThis.loadedHelp = true; export const helped: string = "helped";',
    );
    world.ofProject(".gantry/commands/ask.md", "Ask about $ARGUMENTS.");
    world.ofProject(
      ".claude/settings.json",
      JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: "command", command: "sh hook.sh" }] }] } }),
    );
    world.ofProject("hook.sh", "echo ran >> /dev/null; echo CONTEXT OF THE HOOK");
  });

  const states = (agent: StartedAgent) =>
    Object.fromEntries(agent.extensions!.list().map(({ name, state }) => [name, state]));
  const ALL = ["theirs", "project commands", "claude settings.json"];
  const every = (state: string) => Object.fromEntries(ALL.map((name) => [name, state]));

  it("runs nothing before it is trusted, and everything afterwards", async () => {
    const before = await world.open();
    expect(states(before)).toEqual(every("untrusted"));
    expect(before.services.slashCommands?.()).toEqual([]);
    expect(before.problems.join()).toContain("gantry trust");
    await run(before, "/ask why");
    expect(JSON.stringify(world.model.asked)).not.toContain("CONTEXT OF THE HOOK");
    expect(JSON.stringify(world.model.asked.at(-1)?.messages)).toContain("/ask why");
    await trust();
    const after = await world.open();
    expect(states(after)).toEqual(every("active"));
    await run(after, "/ask why");
    expect(JSON.stringify(world.model.asked.at(-1)?.messages)).toContain("Ask about why.");
    expect(JSON.stringify(world.model.asked.at(-1)?.messages)).toContain("CONTEXT OF THE HOOK");
  });

  it.each([
    [".gantry/extensions/theirs.ts", `${MODULE}// more`, "theirs"],
    [".gantry/extensions/lib/help.ts", "export const helped = 1;", "theirs"],
    [".gantry/commands/other.md", "Another.", "project commands"],
    [
      ".claude/settings.json",
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } }),
      "claude settings.json",
    ],
    ["hook.sh", "echo other", "claude settings.json"],
  ])("has to be trusted again after a change of %s, also in a running session", async (path, text, name) => {
    await trust();
    const agent = await world.open();
    expect(states(agent)).toEqual(every("active"));
    world.ofProject(path, text);
    const again = await world.open();
    expect(states(again)).toEqual({ ...every("active"), [name]: "untrusted" });
    await run(agent, "hello");
    expect(states(agent)).toEqual({ ...every("active"), [name]: "untrusted" });
  });

  it("does not run the script of a hook that has changed since the session started", async () => {
    world.ofProject(
      ".claude/settings.json",
      JSON.stringify({
        hooks: { Stop: [{ hooks: [{ type: "command", command: 'sh "$CLAUDE_PROJECT_DIR"/hook.sh' }] }] },
      }),
    );
    world.ofProject("hook.sh", "exit 0");
    await trust();
    const agent = await world.open();
    world.model.queue(call("bash", { command: "echo 'touch BY_THE_CHANGED_SCRIPT' > hook.sh" }));
    await run(agent, "hello");
    expect(readFileSync(join(world.cwd, "hook.sh"), "utf8")).toContain("BY_THE_CHANGED_SCRIPT");
    expect(existsSync(join(world.cwd, "BY_THE_CHANGED_SCRIPT"))).toBe(false);
    expect(world.notices.join()).toContain("changed since you trusted it");
  });

  it("cannot load a file by a computed path", async () => {
    world.ofProject(
      ".gantry/extensions/theirs.ts",
      'const name = ["./lib/", "help.ts"].join(""); export default async (g) => { await import(name); };',
    );
    await trust();
    const agent = await world.open();
    expect(states(agent)).toMatchObject({ theirs: "failed" });
    expect(agent.problems.join()).toContain("not part of what you have trusted");
    expect(agent.extensions?.commands()).toMatchObject([{ name: "ask" }]);
  });

  it.each(["evil", "@scope/evil", "evil/sub.js", "#evil"])(
    "does not load %s from the packages of the project",
    async (specifier) => {
      const code = "globalThis.loadedFromProject = true;";
      const main = JSON.stringify({ type: "module", main: "index.js" });
      for (const name of ["evil", "@scope/evil"]) {
        world.ofProject(`node_modules/${name}/package.json`, main);
        for (const file of ["index.js", "sub.js"]) world.ofProject(`node_modules/${name}/${file}`, code);
      }
      world.ofProject("package.json", JSON.stringify({ imports: { "#evil": "./node_modules/evil/index.js" } }));
      world.ofProject(".gantry/extensions/theirs.ts", `import "${specifier}"; export default () => {};`);
      await trust();
      const agent = await world.open();
      expect(states(agent)).toMatchObject({ theirs: "failed" });
      expect("loadedFromProject" in globalThis).toBe(false);
    },
  );

  it("loads packages that the user installed into the folder of the agent", async () => {
    world.ofUser("node_modules/helper/package.json", JSON.stringify({ type: "module", main: "index.js" }));
    world.ofUser("node_modules/helper/index.js", 'export const name = "from-helper";');
    world.ofProject("node_modules/helper/package.json", JSON.stringify({ type: "module", main: "index.js" }));
    world.ofProject("node_modules/helper/index.js", 'export const name = "from-project";');
    world.ofProject(
      ".gantry/extensions/theirs.ts",
      'import { name } from "helper"; import "node:fs"; export default (g) => g.registerCommand(name, { run: () => {} });',
    );
    await trust();
    const agent = await world.open();
    expect(agent.extensions?.commands().map(({ name }) => name)).toContain("from-helper");
  });

  it("cannot name extensions or enable them in its config.yml", async () => {
    world.ofProject("evil.js", "globalThis.evil = true; export default () => {};");
    world.ofProject(".gantry/config.yml", "extensions: [./evil.js]\nclaudeFiles: all\ndisabledExtensions: [mine]\n");
    const agent = await world.open();
    expect(agent.problems.filter((text) => text.includes("A project cannot set this key"))).toHaveLength(3);
    expect("evil" in globalThis).toBe(false);
  });
});
