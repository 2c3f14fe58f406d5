import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify, stripVTControlCharacters } from "node:util";
import { type ScriptedModel, type Spawned, spawnLines, startScriptedModel } from "@gantry/testkit";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const EXAMPLE = join(import.meta.dirname, "../../../../docs/user/examples/notes.ts");
const MAIN = join(import.meta.dirname, "../../../cli/src/main.ts");
const NODE = ["--disable-warning=ExperimentalWarning", MAIN, "agent"];
const SLOW = 90_000;
const MODEL = "scripted/heron";
const REPEAT = "repeat/last";

let home: string;
let cwd: string;
let env: NodeJS.ProcessEnv;
let model: ScriptedModel;

beforeEach(async () => {
  home = mkdtempSync(join(realpathSync(tmpdir()), "gantry-example-"));
  cwd = join(home, "project");
  for (const folder of [cwd, join(home, "agent/extensions")]) mkdirSync(folder, { recursive: true });
  copyFileSync(EXAMPLE, join(home, "agent/extensions/notes.ts"));
  model = await startScriptedModel({ defaults: { pace: 0 } });
  const models = [{ id: "heron", contextWindow: 200_000, maxTokens: 8192 }];
  const scripted = { baseUrl: `${model.url}/v1`, api: "openai-completions", auth: "none", models };
  writeFileSync(join(home, "agent/models.yml"), JSON.stringify({ providers: { scripted } }));
  env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home, GANTRY_AGENT_DIR: join(home, "agent"), TERM: "xterm" };
});
afterEach(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

async function print(prompt: string, flags: string[] = [], chosen = MODEL): Promise<string> {
  const running = promisify(execFile)(process.execPath, [...NODE, "-p", "--model", chosen, ...flags, prompt], {
    cwd,
    env,
  });
  running.child.stdin?.end();
  return (await running).stdout;
}

const lastResult = () => JSON.stringify(model.requests().at(-1)?.body ?? {});
const notes = () => readFileSync(join(cwd, "NOTES.md"), "utf8");

it("has fewer than 60 lines", () => {
  expect(readFileSync(EXAMPLE, "utf8").split("\n").length).toBeLessThan(60);
});

it(
  "adds a tool, a command, a hook and a provider in print mode",
  async () => {
    expect(await print("[[tool:note]] go", ["--permission-mode", "auto-edit"])).toContain("The tool was called.");
    expect(notes()).toBe("- from the model\n");
    // The hook has removed the spaces, and the model learns of it.
    expect(lastResult()).toContain("Stored: from the model");
    expect(lastResult()).toContain("A hook changed the input of this call");
    expect(await print("/notes")).toBe("- from the model\n");
    expect(await print("/notes confirm")).toBe("Not confirmed.\n");
    expect(await print("hello", [], REPEAT)).toBe("You wrote: hello\n");
    expect(await print("/notes ask", [], REPEAT)).toContain("Summarise NOTES.md");
    await print("[[tool:note]] plan", ["--permission-mode", "plan"]);
    expect(lastResult()).toContain("Plan mode only reads");
    expect(notes()).toBe("- from the model\n");
  },
  SLOW,
);

it(
  "adds a tool, a command, a hook and a provider in RPC mode",
  async () => {
    const args = [...NODE, "--mode", "rpc", "--no-session", "--model", MODEL, "--permission-mode", "ask"];
    const client = spawnLines(process.execPath, args, { cwd, env });
    const ask = (id: string, message: object) => {
      client.send({ id, ...message });
      return client.waitFor((frame) => frame.type === "response" && frame.id === id) as Promise<{ data: never }>;
    };
    await client.waitFor(({ type }) => type === "ready");
    const { data } = await ask("1", { type: "get_commands" });
    expect(data).toMatchObject({ commands: [{ name: "notes", source: "extension", argumentHint: "[ask|confirm]" }] });
    expect(JSON.stringify((await ask("2", { type: "get_available_models" })).data)).toContain('"provider":"repeat"');

    await ask("3", { type: "prompt", message: "[[tool:note]] go" });
    const question = await dialog(client, "select");
    expect(question).toMatchObject({ approval: { toolName: "note", args: { text: "from the model" } } });
    client.send({ type: "extension_ui_response", id: question.id, value: "Allow once" });
    expect(await dialog(client, "setStatus")).toMatchObject({ statusKey: "notes", statusText: "1 notes" });
    await client.waitFor((frame) => JSON.stringify(frame).includes("agent_settled"));
    expect(notes()).toBe("- from the model\n");

    const pending = ask("4", { type: "prompt", message: "/notes confirm" });
    const confirm = await dialog(client, "confirm");
    client.send({ type: "extension_ui_response", id: confirm.id, confirmed: true });
    expect((await pending).data).toEqual({ disposition: "handled", agentInvoked: false });
    expect(await dialog(client, "notify")).toMatchObject({ message: "Good." });

    await ask("5", { type: "set_model", provider: "repeat", modelId: "last" });
    await ask("6", { type: "prompt", message: "again" });
    await client.waitFor((frame) => JSON.stringify(frame).includes("You wrote: again"));
    client.hangUp();
    expect(await client.exit).toMatchObject({ code: 0 });
  },
  SLOW,
);

async function dialog(client: Spawned, method: string): Promise<Record<string, unknown>> {
  return await client.waitFor((frame) => frame.type === "extension_ui_request" && frame.method === method);
}

it(
  "adds a tool, a command, a hook and a provider in the terminal",
  async () => {
    const { spawn } = await import("@lydell/node-pty");
    let printed = "";
    let ended: number | undefined;
    const pty = spawn(process.execPath, [...NODE, "--model", MODEL], { cols: 100, rows: 30, cwd, env });
    pty.onData((text) => {
      printed += text;
    });
    pty.onExit(({ exitCode }) => {
      ended = exitCode;
    });
    /** Texts that may arrive in one piece are awaited together: what was printed until then is forgotten. */
    const waitForText = async (...texts: string[]) => {
      const options = { timeout: 20_000, interval: 20 };
      await vi.waitFor(() => {
        for (const text of texts) expect(stripVTControlCharacters(printed)).toContain(text);
      }, options);
      printed = "";
    };
    try {
      await waitForText("Describe the task.");
      pty.write("/notes\r");
      await waitForText("There are no notes yet.");
      pty.write("[[tool:note]] go\r");
      await waitForText("y yes · a always");
      expect(existsSync(join(cwd, "NOTES.md"))).toBe(false);
      pty.write("y");
      await waitForText("a note was stored", "1 notes");
      expect(notes()).toBe("- from the model\n");
      pty.write("/notes confirm\r");
      await waitForText("Is everything noted?");
      pty.write("1\r");
      await waitForText("Good.");
      pty.write("/model repeat/last\r");
      await waitForText("Model: repeat/last");
      pty.write("good day\r");
      await waitForText("You wrote: good day");
      pty.write("/extensions\r");
      await waitForText("notes: active");
      pty.write("/reload\r");
      await waitForText("Loaded: notes");
      pty.write("/quit\r");
      await vi.waitFor(() => expect(ended).toBe(0), { timeout: 20_000 });
    } finally {
      if (ended === undefined) pty.kill("SIGKILL");
    }
  },
  SLOW,
);
