import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ScriptedModel, startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../../../..");
const EXAMPLES = join(ROOT, "docs/sdk/examples");
const WEATHER = '[[call:weather:{"city":"Oslo"}]]';

let home: string;
let cwd: string;
let model: ScriptedModel;
let env: Record<string, string | undefined>;

beforeAll(async () => {
  // Temporary folders can be written to in every mode except plan, so the examples work elsewhere.
  home = mkdtempSync(join(realpathSync("/var/tmp"), "gantry-examples-"));
  cwd = join(home, "project");
  for (const folder of ["project", "bin", "gantry/agent"]) mkdirSync(join(home, folder), { recursive: true });
  model = await startScriptedModel({ defaults: { pace: 0 } });
  const models = [{ id: "plain", contextWindow: 200_000, maxTokens: 8_000 }];
  const scripted = { baseUrl: `${model.url}/v1`, api: "openai-completions", auth: "none", models };
  writeFileSync(join(home, "gantry/agent/models.yml"), JSON.stringify({ providers: { scripted } }));
  const main = join(ROOT, "packages/cli/src/main.ts");
  const command = `#!/bin/sh\nexec ${process.execPath} --disable-warning=ExperimentalWarning ${main} "$@"\n`;
  writeFileSync(join(home, "bin/gantry"), command, { mode: 0o755 });
  env = {
    PATH: `${join(home, "bin")}:${process.env.PATH}`,
    HOME: home,
    GANTRY_HOME: join(home, "gantry"),
    COMPANY_MODELS: `${model.url}/v1`,
    COMPANY_KEY: "key-of-the-company",
    TMPDIR: tmpdir(),
  };
});
afterAll(async () => {
  await model.close();
  rmSync(home, { recursive: true, force: true });
});

function start(name: string, ...args: string[]): ChildProcess & { output(): string } {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(EXAMPLES, name), ...args], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => (output += String(text)));
  return Object.assign(child, { output: () => output });
}

async function run(name: string, ...args: string[]): Promise<string> {
  const child = start(name, ...args);
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code, child.output()).toBe(0);
  return child.output();
}

describe("the examples of docs/sdk", () => {
  it("are all run here, and none has more than 40 lines", () => {
    const here = readFileSync(import.meta.filename, "utf8");
    for (const name of readdirSync(EXAMPLES)) {
      expect(here).toContain(`"${name}"`);
      const lines = readFileSync(join(EXAMPLES, name), "utf8").trimEnd().split("\n").length;
      expect(lines, name).toBeLessThanOrEqual(name === "minimal.ts" ? 10 : 40);
    }
  });

  it("minimal: an agent with a tool", async () => {
    expect(await run("minimal.ts", WEATHER)).toBe("The tool ran.\n");
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain("Sunny in Oslo, 21 °C.");
  });

  it("custom tool: the permission mode decides about its actions", async () => {
    const output = await run("custom-tool.ts", '[[call:log:{"file":"app.log","line":"started"}]]');
    expect(output).toBe("asked: log file.write\nlog done\n");
    expect(readFileSync(join(cwd, "app.log"), "utf8")).toBe("started\n");
  });

  it("custom model: nothing of the machine is used", async () => {
    const before = readdirSync(join(home, "gantry/agent"));
    const output = await run("custom-model.ts", "[[text]] hello");
    expect(output).toMatch(/^completed Hello from the scripted model\. The answer is 42\.\n\{/);
    expect(model.requests().at(-1)?.body).toMatchObject({ model: "large" });
    expect(readdirSync(join(home, "gantry/agent"))).toEqual(before);
  });

  it("permissions: a callback allows one call and denies another", async () => {
    expect(await run("permissions.ts", "[[write]] go")).toMatch(/^allowed write [\s\S]*write ran\n$/);
    expect(existsSync(join(cwd, "hello.txt"))).toBe(true);
    expect(await run("permissions.ts", `[[writeto:${join(home, "outside.txt")}]] go`)).toContain("write was refused\n");
    expect(existsSync(join(home, "outside.txt"))).toBe(false);
  });

  it("reviewer: reads, and cannot write", async () => {
    writeFileSync(join(cwd, "code.ts"), "export {};\n");
    expect(await run("reviewer.ts", "[[read:code.ts]] go")).toMatch(/^read \{[\s\S]*read done\n$/);
    await run("reviewer.ts", "[[writeto:review.txt]] go");
    expect(existsSync(join(cwd, "review.txt"))).toBe(false);
  });

  it("sessions: list, resume, fork and in memory", async () => {
    const output = await run("sessions.ts", "[[text]] hello");
    expect(output).toContain("birds [[text]] hello\n");
    expect(output).toContain("resumed: 4 messages\ncopied: true 4 messages\nin memory: true");
  });

  it("web response: streams the answer as server-sent events", async () => {
    const child = start("web-response.ts");
    try {
      await new Promise((resolve) => child.stdout?.once("data", resolve));
      const url = new URL(child.output().trim());
      url.searchParams.set("q", "[[text]] hello");
      const body = await (await fetch(url)).text();
      const deltas = [...body.matchAll(/^event: text\ndata: (.*)$/gm)].map(
        ([, json]) => JSON.parse(json ?? "") as string,
      );
      expect(deltas.join("")).toBe("Hello from the scripted model. The answer is 42.");
      expect(body).toMatch(/event: end\ndata: \{"reason":"completed"\}\n\n$/);
    } finally {
      child.kill();
    }
  });

  it("RPC client: a host tool and an approval", async () => {
    expect(await run("rpc-client.ts", WEATHER)).toBe("model: plain\nweather done\ncompleted The tool ran.\n");
    const output = await run("rpc-client.ts", "[[writeto:by-rpc.txt]] go");
    expect(output).toContain("asked: Allow");
    expect(existsSync(join(cwd, "by-rpc.txt"))).toBe(true);
  });
});
