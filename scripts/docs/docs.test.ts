import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { checkModels, checkSettings } from "@gantry/models";
import { IdentityFile, McpServerSettings } from "@gantry/protocol";
import { agents, Config } from "@gantry/runtime";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { checkProfile } from "../../packages/runtime/src/agents/profiles.ts";
import { profileBases } from "../../packages/runtime/src/agents/registry.ts";
import { LaneFile } from "../../packages/runtime/src/lanes/create/lane-file.ts";
import { root } from "../steps.ts";

const run = promisify(execFile);
const documents = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "GLOSSARY.md",
  "CHANGELOG.md",
  "AGENTS.md",
  "SECURITY.md",
  ...folder("docs/user"),
  ...folder("docs/sdk"),
  ...folder("docs/internals"),
  ...folder("docs/operations"),
  ...folder("docs/decisions"),
];

function folder(path: string): string[] {
  return readdirSync(join(root, path))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `${path}/${name}`);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function blocks(path: string, language: string): string[] {
  return [...read(path).matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(
    ([, text]) => text ?? "",
  );
}

describe.each(documents)("%s", (path) => {
  it("links only to files that exist", () => {
    const targets = [...read(path).matchAll(/\]\(([^)#]+?)\)/g)].map(([, target]) => target ?? "");
    const missing = targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(join(root, dirname(path), target)),
    );
    expect(missing).toEqual([]);
  });

  it("names only scripts that exist", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
    const named = [...read(path).matchAll(/npm run ([a-z0-9:-]+)/g)].map(([, name]) => name ?? "");
    expect(named.filter((name) => !scripts[name])).toEqual([]);
  });
});

describe("docs/decisions", () => {
  it("gives each decision one number, in its name and its title", () => {
    const names = folder("docs/decisions").filter((path) => /\/\d{4}-/.test(path));
    const numbers = names.map((path) => Number(/\/(\d{4})-/.exec(path)?.[1]));
    expect(numbers.filter((number, at) => numbers.indexOf(number) !== at)).toEqual([]);
    expect(names.filter((path, at) => !read(path).startsWith(`# ${numbers[at]}. `))).toEqual([]);
  });
});

describe("ARCHITECTURE.md", () => {
  const places = [
    "",
    "packages",
    "packages/runtime/src",
    "packages/runtime/src/session",
    "packages/web/src",
    "packages/models/src",
    "packages/models/src/transports",
    "packages/agent/src",
  ];
  const exists = (path: string) => places.some((place) => existsSync(join(root, place, path)));

  it("names only folders and files that exist", () => {
    const named = [...read("ARCHITECTURE.md").matchAll(/`([a-z][\w.-]*\/[\w./-]*)`/g)].map(([, path]) => path ?? "");
    const notInTheTree = ["dist/page", "refs/gantry/undo"];
    expect(named.filter((path) => !notInTheTree.includes(path) && !exists(path))).toEqual([]);
  });

  it.each(["One line of stdout", "One message"])("lists at most 20 files, one per row: %s", (title) => {
    const [, section = ""] = read("ARCHITECTURE.md").split(`### ${title}`);
    const rows = [...(section.split("\n#")[0] ?? "").matchAll(/^\| (\d+) \| (.+?) \|/gm)];
    expect(rows.map(([, number]) => Number(number))).toEqual(rows.map((_, index) => index + 1));
    const files = rows.map(([, , cell]) => /^`([^`]+)`$/.exec(cell ?? "")?.[1] ?? cell ?? "");
    const channel = "agents/<agent>/";
    const isMissing = (file: string) => file !== channel && !existsSync(join(root, "packages/runtime/src", file));
    expect(files.filter(isMissing)).toEqual([]);
    expect(new Set(files).size).toBe(files.length);
    expect(files.length).toBeGreaterThan(10);
    expect(files.length).toBeLessThanOrEqual(20);
  });
});

describe("docs/user/configuration.md", () => {
  it("shows the current defaults", () => {
    const [defaults = ""] = blocks("docs/user/configuration.md", "yaml");
    expect(parse(defaults)).toEqual(Config.parse({}));
  });

  it("shows a profile that extends an existing agent", () => {
    const profile = parse(blocks("docs/user/configuration.md", "yaml")[1] ?? "") as { extends: string };
    expect(agents.map((agent) => agent.id)).toContain(profile.extends);
  });

  it("shows a profile of a program that prints text", () => {
    const profile = blocks("docs/user/configuration.md", "yaml")[2] ?? "";
    expect(checkProfile("reviewer.yml", profile, agents, profileBases).own?.command[0]).toBe("review-script");
  });

  it("shows MCP servers that the registry accepts", () => {
    const servers = parse(blocks("docs/user/configuration.md", "yaml")[3] ?? "") as Record<string, unknown>;
    expect(Object.keys(servers)).toEqual(["files", "issues"]);
    for (const settings of Object.values(servers)) expect(McpServerSettings.safeParse(settings).error).toBeUndefined();
  });
});

describe("docs/sdk", () => {
  it("shows only code that matches the types of the SDK", async () => {
    const folders = folder("docs/sdk");
    // A folder from which the packages resolve as they do for a program that has them installed.
    const place = mkdtempSync(join(root, "packages/agent/.docs-"));
    try {
      for (const path of folders) {
        for (const [index, block] of blocks(path, "ts").entries()) {
          writeFileSync(join(place, `${path.replace(/\W/g, "-")}-${index}.ts`), block);
        }
      }
      const programs = readdirSync(place);
      expect(programs.length).toBeGreaterThan(10);
      const files = [...programs, "../src/tools/fetch/turndown.d.ts"];
      writeFileSync(
        join(place, "tsconfig.json"),
        JSON.stringify({ extends: "../../../tsconfig.json", files, include: [] }),
      );
      const tsc = join(root, "node_modules/typescript/bin/tsc");
      const { stdout } = await run(process.execPath, [tsc, "-p", place]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe("");
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it("shows a model without a server that answers", async () => {
    const place = mkdtempSync(join(root, "packages/agent/.docs-"));
    try {
      writeFileSync(join(place, "echo.ts"), blocks("docs/sdk/models.md", "ts")[1] ?? "");
      const env = { PATH: process.env.PATH, HOME: place, GANTRY_HOME: place };
      const { stdout } = await run(process.execPath, [join(place, "echo.ts")], { env, cwd: place });
      expect(stdout).toBe('You wrote: "hello"\n');
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });

  it("has every option of a session, and every function that the package exports, in its pages", async () => {
    const text = folder("docs/sdk").map(read).join("\n");
    const options = read("packages/agent/src/sdk/options.ts").split("export type CreateAgentSessionResult")[0] ?? "";
    const names = [...options.matchAll(/^ {2}(\w+)\?: /gm)].map(([, name]) => name ?? "");
    expect(names.length).toBeGreaterThan(25);
    const exported = Object.keys(await import("../../packages/agent/src/index.ts"));
    expect([...names, ...exported].filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
  });
});

describe("the commands", () => {
  const home = mkdtempSync(join(tmpdir(), "gantry-docs-"));
  const env = { ...process.env, GANTRY_HOME: join(home, "gantry"), HOME: home, NO_COLOR: "1" };
  const gantry = (...args: string[]) =>
    run(process.execPath, ["--disable-warning=ExperimentalWarning", join(root, "packages/cli/src/main.ts"), ...args], {
      env,
      cwd: home,
    });

  const start = `${process.execPath} --disable-warning=ExperimentalWarning ${join(root, "packages/cli/src/main.ts")}`;
  const shellGantry = `gantry() { ${start} "$@"; }`;
  const runScript = (script: string, options: { cwd?: string; env?: NodeJS.ProcessEnv } = {}) =>
    run("bash", ["-euo", "pipefail", "-c", `${shellGantry}\n${script}`], { env, cwd: home, ...options });

  beforeAll(async () => {
    mkdirSync(join(home, "gantry", "agents"), { recursive: true });
    const profile = blocks("docs/user/configuration.md", "yaml")[1] ?? "";
    writeFileSync(join(home, "gantry", "agents", "fast-claude.yml"), profile);
    await gantry("run", "-a", "scripted", "[[text]] about the changelog");
  });
  afterAll(async () => {
    await gantry("stop", "--release");
    rmSync(home, { recursive: true, force: true });
  });

  it("of the README run with the scripted agent instead of one that needs an account", async () => {
    const lines = blocks("README.md", "sh")
      .flatMap((block) => block.split("\n"))
      .filter((line) => line.startsWith("./gantry "));
    expect(lines).toHaveLength(5);
    for (const line of lines) {
      const command = line
        .replace(/\s+#.*$/, "")
        .replace("-a claude", "-a scripted --mode full-auto")
        .replace("./gantry ", "");
      // These wait for a person, follow the log forever, or check the machine.
      if (/^(answer|logs -f|doctor)/.test(command)) continue;
      const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
      const { stdout } = await gantry(...args, ...(args[0] === "demo" ? ["--yes"] : []));
      expect(stdout, command).not.toBe("");
    }
  });

  it("of docs/user/http.md answer without an error", async () => {
    const [script = ""] = blocks("docs/user/http.md", "sh");
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { env, cwd: home });
    expect(stdout).toContain("ses_example");
    expect(stdout).toContain("event: event");
    expect(stdout).not.toContain('"error":{');
  });

  it.each(["docs/user/agent.md", "docs/user/rpc.md"])("of %s run without a model", async (path) => {
    const [script = ""] = blocks(path, "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toContain(path === "docs/user/rpc.md" ? '"command":"get_state","success":true' : "--mode");
  });

  it("of docs/user/preview.md open, list and end a preview", async () => {
    const [script = ""] = blocks("docs/user/preview.md", "sh");
    const { stdout } = await run("bash", ["-euo", "pipefail", "-c", script], { env, cwd: home });
    expect(stdout).toContain('"target":"http://localhost:5173/"');
    expect(stdout).toContain('{"deleted":true}');
  });

  it("of docs/user/checkpoints.md show the diff of a turn, revert it and fork it", async () => {
    const [script = ""] = blocks("docs/user/checkpoints.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toContain("+FIRST line");
    expect(stdout).toMatch(/Would restore 1 file:\n {2}D edit\.txt/);
    expect(stdout).toMatch(/Restored 1 file:\n {2}W edit\.txt/);
  });

  it("of docs/user/review.md comment on a line, show the plan of a commit and commit", async () => {
    const [script = ""] = blocks("docs/user/review.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/open +edit\.txt:1 +Why is this upper case\?/);
    expect(stdout).toContain("1 change on ");
    expect(stdout).toMatch(/[0-9a-f]{10} Add edit\.txt \(1 file on /);
  });

  it("of docs/user/schedules.md send messages later", async () => {
    const [script = ""] = blocks("docs/user/schedules.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/every day +paused|30 9 \* \* 1-5/);
    expect(stdout).toContain("removed: ");
  });

  it("of docs/user/spawns.md work with the environment of an agent", async () => {
    const [script = "", leads = ""] = blocks("docs/user/spawns.md", "sh");
    const { stdout: begun } = await gantry("run", "-a", "scripted", "--json", "--detach", "[[text]] hello");
    const { id } = JSON.parse(begun) as { id: string };
    const path = join(home, "inside.sh");
    writeFileSync(path, `${script}\ntouch inside.done\n`);
    const body = JSON.stringify({ session: id, command: ["bash", "-euo", "pipefail", path] });
    const { url } = JSON.parse(readFileSync(join(env.GANTRY_HOME, "daemon.json"), "utf8")) as { url: string };
    const authorization = `Bearer ${readFileSync(join(env.GANTRY_HOME, "token"), "utf8").trim()}`;
    const headers = { authorization, "content-type": "application/json" };
    await fetch(new URL("/v1/terminals", url), { method: "POST", headers, body });
    await expect.poll(() => existsSync(join(home, "inside.done")), { timeout: 50_000 }).toBe(true);
    const { stdout } = await gantry("ls", "--json");
    expect(stdout).toContain(`"parent":"${id}"`);
    expect((await runScript(leads)).stdout).toMatch(
      /lead +on +in effect[\s\S]* is a lead: [\s\S]*lead +off +in effect/,
    );
  });

  it("of docs/user/identities.md create an identity, message it and remove it, and its file is valid", async () => {
    const [script = ""] = blocks("docs/user/identities.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toContain("identities/keeper/memory/notes.md");
    expect(stdout).toMatch(/keeper +lead +scripted +idle +0 files/);
    expect(stdout).toContain("Persona and memory remain in");
    const [file = ""] = blocks("docs/user/identities.md", "yaml");
    expect(IdentityFile.safeParse(parse(file)).error).toBeUndefined();
  });

  it("of docs/user/handoff.md hand a session off and back, with agents that need no account", async () => {
    const profile = "id: colleague\nname: Colleague\nextends: scripted\n";
    writeFileSync(join(home, "gantry", "agents", "colleague.yml"), profile);
    const [script = ""] = blocks("docs/user/handoff.md", "sh");
    const played = script
      .replaceAll(/(handoff last )codex/g, "$1colleague")
      .replaceAll(/(handoff last )claude/g, "$1scripted");
    const { stdout } = await runScript(played.replace("-a claude", "-a scripted --mode full-auto"));
    expect(stdout).toMatch(/## Goal\n\n> \[\[bash\]\] build the nest #\d+\n/);
    expect(stdout).toContain("scripted → colleague · handed off by brief");
    expect(stdout).toContain("colleague → scripted · handed off by resume");
  });

  it("of docs/user/configuration.md switch titles off and on, add and show servers and skills", async () => {
    const folder = join(home, "skills", "release");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), "---\nname: release\ndescription: Makes a release.\n---\n");
    const { stdout } = await runScript(blocks("docs/user/configuration.md", "sh").join("\n"));
    expect(stdout).toMatch(/issues +claude +https:\/\/issues\.example\/mcp/);
    expect(stdout).toMatch(/release +Makes a release\./);
  });

  it("of docs/user/mcp.md give agents the coordinator and take it back", async () => {
    const { stdout } = await runScript(blocks("docs/user/mcp.md", "sh").join("\n"));
    expect(stdout).toContain("Agents get the MCP server gantry");
    expect(stdout).toContain("do not get the MCP server gantry");
  });

  it("of docs/user/launches.md launch, compare and land", async () => {
    const [script = ""] = blocks("docs/user/launches.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/greet-scripted landed on main: \w{8} → \w{8}, 1 file\./);
    expect(stdout).toMatch(/greet-scripted-2 is now based on main/);
    expect(stdout).toMatch(/main is back at \w{8}/);
  });

  it("of docs/user/lanes.md create a lane, work in it, remove it and restore it", async () => {
    const folder = join(home, "repository");
    mkdirSync(folder);
    const commit = "git -c user.name=a -c user.email=a@example.com commit -q --allow-empty -m first";
    const [script = ""] = blocks("docs/user/lanes.md", "sh");
    const { stdout } = await runScript(`git init -q -b main\n${commit}\n${script}`, { cwd: folder });
    expect(stdout).toMatch(/fix-login +gantry\/fix-login +clean/);
    expect(stdout).toContain("removed Login page");
    expect(stdout).toContain("No lane needs to be removed.");
    const [file = ""] = blocks("docs/user/lanes.md", "yaml");
    expect(Object.keys(LaneFile.parse(parse(file)))).toEqual(Object.keys(LaneFile.shape));
  });

  it("of docs/user/trust.md trust a folder, notice its change and revoke the trust", async () => {
    const [script = ""] = blocks("docs/user/trust.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/shop is not trusted\.[\s\S]*setup-script: sh setup\.sh/);
    expect(stdout).toContain("shop is trusted now. This allows:");
    expect(stdout).toContain("The set-up is done.");
    expect(stdout).toContain("what it would run has changed");
    expect(stdout).toContain("shop is no longer trusted.");
  });

  it("of docs/user/extensions.md list, disable and enable", async () => {
    const [script = ""] = blocks("docs/user/extensions.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/user commands +\S*commands +active +own +\/explain/);
    expect(stdout).toContain('"state":"active"');
    expect(stdout).toMatch(/user commands is disabled [\s\S]*user commands is enabled/);
  });

  it("of docs/user/import-export.md list, import, export and import again", async () => {
    const own = join(root, "packages/runtime/src/agents/claude/fixtures/history/projects");
    cpSync(own, join(home, ".claude", "projects"), { recursive: true });
    const [script = ""] = blocks("docs/user/import-export.md", "sh");
    const { stdout } = await run("bash", ["-eu", "-c", `${shellGantry}\n${script}`], { env, cwd: home });
    expect(stdout).toMatch(/7a6da127-\S+ +claude/);
    expect(stdout).toContain("heron.html");
    expect(stdout).toContain('"session.created"');
    expect(readFileSync(join(home, "heron.html"), "utf8")).not.toContain(home);
  });

  it("of docs/user/credentials.md store a key, list and remove it", async () => {
    const [script = ""] = blocks("docs/user/credentials.md", "sh");
    const { stdout } = await runScript(script, { env: { ...env, GANTRY_KEYCHAIN: "off" } });
    expect(stdout).toMatch(/1 +openai +key +key \w{8} +ready/);
    expect(stdout).toContain("not encrypted");
    expect(stdout).not.toContain("sk-example");
  });

  it("of docs/user/defaults.md start a session without naming an agent", async () => {
    const [script = ""] = blocks("docs/user/defaults.md", "sh");
    const folder = join(home, "with-defaults");
    mkdirSync(folder);
    const { stdout } = await runScript(script, { cwd: folder });
    expect(stdout).toMatch(/agent +scripted {2}\(config\.yml\)/);
    expect(stdout).toContain("with the default agent");
  });

  it("of docs/user/controls.md set native controls and show what the agent reports", async () => {
    const [script = ""] = blocks("docs/user/controls.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/controls {2}fast=on {2}/);
    expect(stdout).toMatch(/controls +fast=on/);
  });

  it("of docs/user/client.md are programs that run", async () => {
    const programs = blocks("docs/user/client.md", "ts");
    const outputs = [/: ready/, /completed at event \d+/, /queued true\ntrue true/, /404 no_such_session/];
    expect(programs).toHaveLength(outputs.length);
    // A folder from which the packages resolve as they do for a program that has them installed.
    const folder = mkdtempSync(join(root, "packages/cli/.docs-"));
    try {
      for (const [index, program] of programs.entries()) {
        const path = join(folder, `example-${index}.ts`);
        writeFileSync(path, program);
        const { stdout } = await run(process.execPath, [path], { env, cwd: home });
        expect(stdout).toMatch(outputs[index] ?? /^$/);
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it("of docs/user/limits.md hold a session, resume it and set budgets; of docs/user/usage.md print the usage", async () => {
    const script = [...blocks("docs/user/limits.md", "sh"), ...blocks("docs/user/usage.md", "sh")].join("\n");
    const { stdout } = await runScript(script);
    expect(stdout).toMatch(/◔ Held · until .*\d+:\d+/);
    expect(stdout).toMatch(/lim_scripted +Scripted rate limit, retries .*2 sessions held/);
    expect(stdout).toMatch(/retries; the others follow/);
    expect(stdout).toContain("a day may cost $20");
    const rule = parse(blocks("docs/user/limits.md", "yaml")[0] ?? "");
    expect(Config.safeParse(rule).error).toBeUndefined();
  });

  it("of docs/user/models.md list, add and resolve models, and its files are valid", async () => {
    const [script = ""] = blocks("docs/user/models.md", "sh");
    const { stdout } = await runScript(script);
    expect(stdout).toContain("glm-proxy was added to");
    expect(stdout).toMatch(/glm-proxy\/glm-4\.6/);
    expect(stdout).toMatch(/anthropic\/claude-opus-4-8\n/);
    const [models = "", settings = ""] = blocks("docs/user/models.md", "yaml");
    expect(checkModels("models.yml", models).problems).toEqual([]);
    expect(checkSettings("config.yml", settings).problems).toEqual([]);
  });

  it("agents lists the profile of docs/user/configuration.md", async () => {
    const { stdout } = await gantry("agents", "--json");
    expect(stdout).toContain("fast-claude");
  });
});
