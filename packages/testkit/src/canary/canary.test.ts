import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startScriptedModel } from "../model/start.ts";
import { canaries, findCanaries, plantCanaries } from "./canary.ts";

const nothing = { url: "/v1/messages", headers: {}, body: "" };
const asciiOnly = (text: string) =>
  JSON.stringify(text).replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

describe.each(Object.entries(canaries))("the canary of the %s", (name, canary) => {
  const inBody = [`the canary of the ${name} in its body`];
  test.each([
    ["unchanged", `use ${canary}!`],
    ["in JSON", JSON.stringify({ a: canary })],
    ["in JSON of ASCII alone", asciiOnly(canary)],
    ["in JSON in JSON", JSON.stringify({ arguments: JSON.stringify({ a: canary }) })],
    ["in JSON in JSON in JSON", JSON.stringify(JSON.stringify(JSON.stringify({ a: canary })))],
    ["percent-encoded", `q=${encodeURIComponent(canary)}`],
    ["in base64", Buffer.from(canary).toString("base64")],
    ["in base64 behind one byte", Buffer.from(`x${canary}yz`).toString("base64")],
    ["in base64 behind two bytes", Buffer.from(`xx${canary}`).toString("base64url")],
  ])("is detected %s", (_how, body) => {
    expect(findCanaries({ ...nothing, body })).toEqual(inBody);
  });

  test("is detected in the URL and in headers, except as the key of the request", () => {
    expect(findCanaries({ ...nothing, url: `/v1/models?q=${encodeURIComponent(canary)}` })).toEqual([
      `the canary of the ${name} in its address`,
    ]);
    expect(findCanaries({ ...nothing, headers: { "x-team": canary } })).toEqual([
      `the canary of the ${name} in its header x-team`,
    ]);
    expect(findCanaries({ ...nothing, headers: { authorization: `Bearer ${canary}` } })).toEqual([]);
  });
});

test("does not report other text", () => {
  const body = JSON.stringify({ messages: [{ content: "canary-of-the-environment, and canary-of-the-file" }] });
  expect(findCanaries({ ...nothing, body })).toEqual([]);
});

test.each([
  "/v1/messages",
  "/v1/responses",
  "/v1/chat/completions",
  "/v1beta/models/m:streamGenerateContent",
  "/chat-stream",
  "/model/m/converse-stream",
  "/api/chat",
  "/nowhere",
])("makes close() reject each time when a server received a canary at %s", async (path) => {
  const model = await startScriptedModel({ defaults: { pace: 0 } });
  const post = (body: unknown) =>
    fetch(model.url + path, { method: "POST", body: JSON.stringify(body) }).then((answer) => answer.text());
  await post({ messages: [{ role: "user", content: "hello" }] });
  await post({ messages: [{ role: "user", content: `hello ${canaries.file}` }] });
  await expect(model.close()).rejects.toThrow(`POST ${path}: the canary of the file in its body`);
  await expect(model.close()).rejects.toThrow("Secrets reached the model");
});

test("makes the command-line server report a canary at exit", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../model/main.ts")], { stdio: "pipe" });
  let errors = "";
  child.stderr.on("data", (text) => {
    errors += text;
  });
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const { port } = JSON.parse(line.toString()) as { port: number };
  await fetch(`http://127.0.0.1:${port}/`, { headers: { "x-a": encodeURIComponent(canaries.environment) } });
  child.kill("SIGTERM");
  const [code] = (await once(child, "close")) as [number];
  expect([code, errors]).toEqual([1, expect.stringContaining("the canary of the environment in its header x-a")]);
});

test("plants secrets that a shell and a YAML parser read back unchanged", () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-canary-"));
  try {
    const env = plantCanaries(folder, { retry: { maxRetries: 1 } });
    const value = execFileSync("sh", ["-c", 'printf %s "$CANARY_TOKEN"'], { env }).toString();
    expect(value).toBe(canaries.environment);
    expect(JSON.parse(readFileSync(join(folder, "secrets.yml"), "utf8"))).toMatchObject([{ content: canaries.file }]);
    expect(JSON.parse(readFileSync(join(folder, "config.yml"), "utf8"))).toEqual({
      retry: { maxRetries: 1 },
      secrets: { enabled: true },
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
