import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { call, ExtensionWorld, run } from "../testing/extension-world.ts";
import { lastResult } from "../testing/queued-model.fake.ts";

let world: ExtensionWorld;
beforeEach(async () => {
  world = await ExtensionWorld.make();
  world.env.OPENAI_API_KEY = "token-of-the-user";
});
afterEach(() => world.close());

/** A script in the folder for the user's hooks, and the command that runs it. */
function script(text: string): string {
  return `sh ${world.ofUser("hooks/hook.sh", text)}`;
}

function hook(event: string, command: string, more: object = {}, matcher?: string): void {
  const group = { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: "command", command, ...more }] };
  world.ofUser("hooks.json", JSON.stringify({ hooks: { [event]: [group] } }));
}

const sent = () => JSON.stringify(world.model.asked.at(-1)?.messages);

describe("a hook command before a tool", () => {
  it("gets the call on stdin, without credentials in its environment, and denies it with exit code 2", async () => {
    hook("PreToolUse", script(`cat > input.json; env > env.txt; echo "not this" >&2; exit 2`), {}, "Bash");
    const agent = await world.open();
    world.model.queue(call("bash", { command: "touch made" }), () => call("read", { path: "env.txt" }));
    await run(agent, "go");
    expect(lastResult(world.model.asked[1]!)).toContain("a hook denied this call. not this");
    expect(existsSync(join(world.cwd, "made"))).toBe(false);
    const input = JSON.parse(readFileSync(join(world.cwd, "input.json"), "utf8"));
    expect(input).toMatchObject({
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "touch made" },
      cwd: world.cwd,
      permission_mode: "bypassPermissions",
      session_id: agent.session.id,
    });
    const env = readFileSync(join(world.cwd, "env.txt"), "utf8");
    expect(env).not.toContain("token-of-the-user");
    expect(env).toContain(`CLAUDE_PROJECT_DIR=${world.cwd}`);
  });

  const decisions: [string, object, string][] = [
    [
      "denies by JSON",
      { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: "by JSON" } },
      "by JSON",
    ],
    ["blocks in the older form", { decision: "block", reason: "older form" }, "older form"],
    ["stops", { continue: false, stopReason: "stopped here" }, "stopped here"],
    ["asks, and there is no person", { hookSpecificOutput: { permissionDecision: "ask" } }, "no person"],
    ["allows, which has no effect", { hookSpecificOutput: { permissionDecision: "allow" } }, "Plan mode only reads"],
    ["approves in the older form, which has no effect", { decision: "approve" }, "Plan mode only reads"],
    [
      "changes the input, which is judged again",
      { hookSpecificOutput: { updatedInput: { command: "rm -rf src" } } },
      "Plan mode only reads",
    ],
  ];
  it.each(decisions)("%s", async (what, output, expected) => {
    hook("PreToolUse", script(`echo '${JSON.stringify(output)}'`));
    const reads = what.startsWith("asks");
    const agent = await world.open({ mode: "plan" });
    world.model.queue(call("bash", { command: reads ? "echo hi" : "touch made" }));
    await run(agent, "go");
    expect(world.result()).toContain(expected);
    expect(existsSync(join(world.cwd, "made"))).toBe(false);
  });

  it("changes the path of a file by Claude's name for it", async () => {
    const output = { hookSpecificOutput: { updatedInput: { file_path: join(world.cwd, "b.txt"), content: "other" } } };
    hook("PreToolUse", script(`echo '${JSON.stringify(output)}'`), {}, "Write|Edit");
    const agent = await world.open();
    world.model.queue(call("write", { path: "a.txt", content: "x" }));
    await run(agent, "go");
    expect(readFileSync(join(world.cwd, "b.txt"), "utf8")).toBe("other");
    expect(existsSync(join(world.cwd, "a.txt"))).toBe(false);
  });

  it("is not reached by variables and functions that the model left in its shell", async () => {
    hook("PreToolUse", script("grep -q touch && exit 2; exit 0"), {}, "bash");
    const agent = await world.open();
    const poison =
      "export PATH=/nowhere; grep() { return 1; }; export -f grep; sh() { return 0; }; export -f sh; echo poisoned";
    world.model.queue(call("bash", { command: poison }), () => call("bash", { command: "/usr/bin/env touch made" }));
    await run(agent, "go");
    expect(world.result()).toContain("a hook denied this call");
    expect(existsSync(join(world.cwd, "made"))).toBe(false);
  });

  it("blocks nothing when it fails or takes too long, and is disabled after three failures", async () => {
    hook("PreToolUse", "sleep 30", { timeout: 0.05 });
    const agent = await world.open();
    world.model.queue(...[1, 2, 3, 4].map((n) => () => call("bash", { command: `echo ${n}` })));
    await run(agent, "go");
    expect(world.model.asked.slice(1).map((body) => lastResult(body).trim())).toEqual(["1", "2", "3", "4"]);
    expect(agent.extensions?.list()).toMatchObject([{ state: "disabled" }]);
    expect(world.notices.filter((text) => text.includes("took longer"))).toHaveLength(2);
  });

  it("cannot write in plan mode", async () => {
    hook("PreToolUse", script("touch BY_THE_HOOK; echo tried >&2; exit 2"));
    const agent = await world.open({ mode: "plan" });
    world.model.queue(call("bash", { command: "echo hi" }));
    await run(agent, "go");
    expect(existsSync(join(world.cwd, "BY_THE_HOOK"))).toBe(false);
  });
});

describe("hook commands at other moments", () => {
  it("add to the result of a tool, to the first request and to a message", async () => {
    writeFileSync(
      join(world.agentDir, "hooks.json"),
      JSON.stringify({
        hooks: {
          SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command: "echo FROM THE START" }] }],
          UserPromptSubmit: [{ hooks: [{ type: "command", command: "echo FROM THE PROMPT" }] }],
          PostToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "echo AFTER THE TOOL >&2; exit 2" }] }],
          Notification: [{ hooks: [{ type: "command", command: "echo never" }] }],
        },
      }),
    );
    const agent = await world.open();
    expect(agent.problems.join()).toContain("Hooks at Notification are not run");
    world.model.queue(call("bash", { command: "echo hi" }));
    await run(agent, "go");
    for (const part of ["FROM THE START", "FROM THE PROMPT", "AFTER THE TOOL"]) expect(sent()).toContain(part);
  });

  it("refuse a message, and the session stays usable", async () => {
    hook("UserPromptSubmit", script('grep -q secret && { echo "no secrets" >&2; exit 2; }; exit 0'));
    const agent = await world.open();
    await expect(agent.session.prompt("a secret")).rejects.toThrow("no secrets");
    expect(world.model.asked).toHaveLength(0);
    await run(agent, "plain");
    expect(world.model.asked).toHaveLength(1);
  });

  it("make the model continue, at most five times in a row", async () => {
    hook("Stop", "echo KEEP WORKING >&2; exit 2");
    const agent = await world.open();
    await run(agent, "go");
    expect(world.model.asked).toHaveLength(6);
    expect(sent().match(/KEEP WORKING/g)).toHaveLength(5);
  });

  it("cancel a compaction", async () => {
    hook("PreCompact", "echo keep everything >&2; exit 2", {}, "manual");
    const agent = await world.open();
    await run(agent, "one");
    await run(agent, "two");
    await expect(agent.session.compact()).rejects.toThrow("keep everything");
  });
});

describe("a Markdown command", () => {
  const command = (path: string, text: string) => void world.ofUser(join("commands", path), text);

  it("fills in arguments, commands and files", async () => {
    writeFileSync(join(world.cwd, "notes.txt"), "THE NOTES");
    command(
      "db/reset.md",
      "---\ndescription: Resets it\nargument-hint: [name]\n---\nReset $1 and $2: $ARGUMENTS\n!`echo of-the-command`\nSee @notes.txt",
    );
    const agent = await world.open();
    expect(agent.services.slashCommands?.()).toEqual([
      {
        name: "db:reset",
        source: "prompt",
        path: join(world.agentDir, "commands/db/reset.md"),
        description: "Resets it",
        argumentHint: "[name]",
      },
    ]);
    await run(agent, '/db:reset first "second word"');
    for (const part of ['Reset first and second word: first \\"second word\\"', "of-the-command", "THE NOTES"])
      expect(sent()).toContain(part);
    expect(sent()).not.toContain("!`");
  });

  it("runs commands only as far as the mode allows, and never with arguments in them", async () => {
    command("act.md", "!`touch made` then !`echo $1 $ARGUMENTS`");
    const agent = await world.open({ mode: "ask" });
    await run(agent, "/act $(touch by-argument)");
    expect(sent()).toContain("was not run");
    expect(existsSync(join(world.cwd, "made"))).toBe(false);
    expect(existsSync(join(world.cwd, "by-argument"))).toBe(false);
  });

  it("does not attach files that need a permission", async () => {
    mkdirSync(join(world.home, ".ssh"));
    writeFileSync(join(world.home, ".ssh/id_rsa"), "THE KEY");
    command("leak.md", "Look at @~/.ssh/id_rsa and @../.ssh/id_rsa");
    const agent = await world.open();
    await run(agent, "/leak");
    expect(sent()).not.toContain("THE KEY");
  });

  it("uses its model for one run", async () => {
    command("small.md", "---\nmodel: queued/other\n---\nShort.");
    const agent = await world.open();
    await run(agent, "/small");
    expect(world.model.asked.at(-1)?.model).toBe("other");
    await run(agent, "plain");
    expect(world.model.asked.at(-1)?.model).toBe("plain");
  });
});
