import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { vendorBinary } from "./binary.ts";
import { hermeticEnvironment } from "./environment.ts";
import { vendorPackage, vendors } from "./vendors.ts";

const folders: string[] = [];
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), "vendor-"));
  folders.push(path);
  return path;
};

afterEach(() => {
  vi.unstubAllEnvs();
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

test("names the platform package of each agent", () => {
  expect(vendorPackage("claude", "2.1.325", "linux-x64").spec).toBe("@anthropic-ai/claude-code-linux-x64@2.1.325");
  expect(vendorPackage("codex", "0.166.0", "linux-x64")).toMatchObject({
    spec: "codex-native@npm:@openai/codex@0.166.0-linux-x64",
    program: "codex-native/vendor/x86_64-unknown-linux-musl/bin/codex",
  });
  expect(vendorPackage("gemini", "0.61.0", "linux-x64").program).toBe("@google/gemini-cli/bundle/gemini.js");
  // Not the wrapper that npm links.
  expect(vendorPackage("qwen", "0.24.4", "linux-x64").program).toBe("@qwen-code/qwen-code/cli.js");
  expect(vendorPackage("opencode", "1.18.33", "linux-x64").program).toBe("opencode-linux-x64/bin/opencode");
  expect(vendorPackage("kilo", "7.7.7", "linux-x64").program).toBe("@kilocode/cli-linux-x64/bin/kilo");
  expect(vendorPackage("cline", "3.0.65", "darwin-arm64").spec).toBe("@cline/cli-darwin-arm64@3.0.65");
  expect(vendorPackage("auggie", "0.36.0", "linux-x64").program).toBe("@augmentcode/auggie/augment.mjs");
  expect(vendorPackage("omp", "18.2.3", "darwin-arm64").companions).toEqual(["@oven/bun-darwin-aarch64@1.4.4"]);
});

test("gives no agent a permission or trust that a user's environment would not give it", () => {
  const grants = /TRUST|PERMISSION|APPROV|YOLO|ALLOW|SANDBOX/;
  const found = vendors.flatMap(({ id }) => {
    const env = hermeticEnvironment({ agent: id, home: folder(), modelUrl: "http://127.0.0.1:4242" });
    return Object.keys(env).flatMap((name) => (grants.test(name) ? [`${id} ${name}`] : []));
  });
  // Claude Code refuses full-auto for root, as which the suite runs in containers.
  expect(found).toEqual(["claude IS_SANDBOX"]);
});

test("rejects an unsupported platform and a version range with a message", () => {
  expect(() => vendorPackage("claude", "2.1.325", "sunos-sparc")).toThrow(/No vendor binary of claude for sunos-sparc/);
  expect(() => vendorPackage("claude", "latest", "linux-x64")).toThrow(/must be exact/);
});

test("finds an installed program and makes it executable", async () => {
  const cache = folder();
  vi.stubEnv("GANTRY_VENDOR_CACHE", cache);
  const { program } = vendorPackage("claude", "9.9.9");
  const path = join(cache, "claude-9.9.9", "node_modules", program);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "#!/bin/sh\n", { mode: 0o644 });
  expect(await vendorBinary({ agent: "claude", version: "9.9.9" })).toBe(path);
  expect(statSync(path).mode & 0o111).not.toBe(0);
});

test("finds the program of an older version at its older path", async () => {
  const cache = folder();
  vi.stubEnv("GANTRY_VENDOR_CACHE", cache);
  const path = join(cache, "pi-9.9.9", "node_modules", "@earendil-works/pi-coding-agent/dist/cli.js");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "", { mode: 0o755 });
  expect(await vendorBinary({ agent: "pi", version: "9.9.9" })).toBe(path);
});

test("makes environments that use the scripted model, their own home and unique keys", () => {
  const home = folder();
  const modelUrl = "http://127.0.0.1:4242";
  const claude = hermeticEnvironment({ agent: "claude", home, modelUrl });
  expect(claude).toMatchObject({ HOME: home, ANTHROPIC_BASE_URL: modelUrl, CLAUDE_CODE_MAX_RETRIES: "1" });
  expect(claude.ANTHROPIC_API_KEY).not.toBe(hermeticEnvironment({ agent: "claude", home, modelUrl }).ANTHROPIC_API_KEY);
  const codex = hermeticEnvironment({ agent: "codex", home, modelUrl });
  const config = readFileSync(join(codex.CODEX_HOME ?? "", "config.toml"), "utf8");
  expect(config).toContain('base_url = "http://127.0.0.1:4242/v1"');
  const kimi = hermeticEnvironment({ agent: "kimi", home, modelUrl });
  expect(readFileSync(join(kimi.KIMI_CODE_HOME ?? "", "config.toml"), "utf8")).toContain(`base_url = "${modelUrl}/v1"`);
  hermeticEnvironment({ agent: "opencode", home, modelUrl });
  expect(readFileSync(join(home, ".config", "opencode", "opencode.json"), "utf8")).toContain(`${modelUrl}/v1`);
  const omp = hermeticEnvironment({
    agent: "omp",
    home,
    modelUrl,
    program: `/v/${vendorPackage("omp", "18.2.3").program}`,
  });
  expect(omp.PATH).toMatch(/^\/v\/@oven\/bun-[\w-]+\/bin:/);
  hermeticEnvironment({ agent: "qwen", home, modelUrl });
  expect(readFileSync(join(home, ".qwen", "settings.json"), "utf8")).toContain(`${modelUrl}/v1`);
  hermeticEnvironment({ agent: "kilo", home, modelUrl });
  expect(readFileSync(join(home, ".config", "kilo", "kilo.json"), "utf8")).toContain(`${modelUrl}/v1`);
  const cline = hermeticEnvironment({ agent: "cline", home, modelUrl });
  const providers = readFileSync(join(home, ".cline", "data", "settings", "providers.json"), "utf8");
  expect(providers).toContain(`${modelUrl}/v1`);
  expect(providers).toContain(cline.CLINE_API_KEY);
  const auggie = hermeticEnvironment({ agent: "auggie", home, modelUrl });
  expect(JSON.parse(auggie.AUGMENT_SESSION_AUTH ?? "")).toMatchObject({ tenantURL: `${modelUrl}/` });
  expect(hermeticEnvironment({ agent: "gemini", home, modelUrl })).toMatchObject({ GOOGLE_GEMINI_BASE_URL: modelUrl });
});
