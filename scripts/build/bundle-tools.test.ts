import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { root } from "../steps.ts";

const run = promisify(execFile);

/** Every tool that needs more than the bundle (a program, a native package, a kernel), with its expected output. */
const CALLS: [tool: string, args: object, printed: string | RegExp][] = [
  ["bash", { command: "echo from-bash" }, "from-bash"],
  ["bash", { command: "test -t 1 && echo from-a-pty", pty: true }, "from-a-pty"],
  ["grep", { pattern: "needle", paths: ["."] }, "const needle = 42"],
  ["find", { paths: ["*.ts"] }, "a.ts"],
  ["ast_grep", { pat: "const $X = 42", paths: ["a.ts"] }, "const needle = 42"],
  ["eval", { cells: [{ language: "py", code: "print(6 * 7)" }] }, "42"],
  ["eval", { cells: [{ language: "js", code: "console.log(6 * 8)" }] }, /^48/],
  ["probe", {}, "from-the-extension"],
];

const EXTENSION = `const text: string = "from-the-extension";
export default (gantry: { registerTool(tool: object): void }) =>
  gantry.registerTool({ name: "probe", description: "Probes.", parameters: { type: "object" }, run: () => text });
`;

let server: Server;
let home: string;
let results: string[] = [];

/** A model server that calls one tool after the other. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    const { messages } = JSON.parse(text) as { messages: { role: string; content: unknown }[] };
    results = messages.flatMap(({ role, content }) =>
      role === "tool" ? [typeof content === "string" ? content : JSON.stringify(content)] : [],
    );
    const [name, args] = CALLS[results.length] ?? [];
    const call = { index: 0, id: `c${results.length}`, function: { name, arguments: JSON.stringify(args) } };
    const delta = name ? { tool_calls: [call] } : { content: "All were called." };
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const choice of [{ delta }, { delta: {}, finish_reason: name ? "tool_calls" : "stop" }])
      response.write(`data: ${JSON.stringify({ id: "x", choices: [{ index: 0, ...choice }] })}\n\n`);
    response.end("data: [DONE]\n\n");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-bundle-")));
  for (const folder of ["agent/extensions", "project"]) mkdirSync(join(home, folder), { recursive: true });
  writeFileSync(join(home, "agent/extensions/probe.ts"), EXTENSION);
  writeFileSync(join(home, "project/a.ts"), "const needle = 42\n");
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const model = "models: [{ id: m, contextWindow: 100000, maxTokens: 8000 }]";
  const provider = `{ baseUrl: "${baseUrl}", api: openai-completions, auth: none, ${model} }`;
  writeFileSync(join(home, "agent/models.yml"), `providers:\n  scripted: ${provider}\n`);
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(home, { recursive: true, force: true });
});

it("runs every tool from the bundle, started as a new user does", async () => {
  const start = [join(root, "scripts/bootstrap.mjs"), "packages/cli/src/main.ts"];
  const args = ["agent", "-p", "--permission-mode", "full-auto", "--model", "scripted/m", "go"];
  const env = { PATH: process.env.PATH, HOME: home, GANTRY_HOME: home };
  const running = run(process.execPath, [...start, ...args], { cwd: join(home, "project"), env });
  running.child.stdin?.end();
  expect((await running).stdout).toBe("All were called.\n");
  expect(results).toEqual(
    CALLS.map(([, , printed]) =>
      typeof printed === "string" ? expect.stringContaining(printed) : expect.stringMatching(printed),
    ),
  );
}, 180_000);
