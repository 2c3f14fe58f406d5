import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { configKeys } from "./keys.ts";
import type { ProviderConfig } from "./schema.ts";

function keys(config: ProviderConfig, env: Record<string, string> = {}, commandMs?: number) {
  const providers = () => new Map([["p", config]]);
  return configKeys({ providers, env: { PATH: process.env.PATH, ...env }, ...(commandMs ? { commandMs } : {}) });
}

it("reads apiKey as a variable, or as the key itself if there is no such variable", async () => {
  expect(await keys({ apiKey: "MY_KEY" }, { MY_KEY: "secret" }).key("p")).toBe("secret");
  expect(await keys({ apiKey: "sk-literal" }).key("p")).toBe("sk-literal");
  expect(await keys({ apiKey: "MY_KEY" }, { MY_KEY: "" }).key("p")).toBe("MY_KEY");
  expect(await keys({}).key("p")).toBeUndefined();
  expect(await keys({ apiKey: "x" }).key("other")).toBeUndefined();
});

it("never uses the name of an unset apiKeyEnv variable as the key", async () => {
  expect(keys({ apiKeyEnv: "MY_KEY" }).has("p")).toBe(false);
  expect(await keys({ apiKeyEnv: "MY_KEY" }).key("p")).toBeUndefined();
  expect(await keys({ apiKeyEnv: "MY_KEY" }, { MY_KEY: "secret" }).key("p")).toBe("secret");
});

it("runs a key command once, when the key is first needed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const runs = join(folder, "runs");
  const found = keys({ apiKey: `!echo run >> ${runs}; echo " printed "` });
  expect(found.has("p")).toBe(true);
  expect(found.peek("p")).toBeUndefined();
  expect(await Promise.all([found.key("p"), found.key("p")])).toEqual(["printed", "printed"]);
  expect(found.peek("p")).toBe("printed");
  expect(await found.key("p")).toBe("printed");
  expect(readFileSync(runs, "utf8")).toBe("run\n");
});

it("returns no key for a failed command and retries it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const mark = join(folder, "mark");
  const found = keys({ apiKey: `!if [ -e ${mark} ]; then echo second; else touch ${mark}; exit 3; fi` });
  expect(await found.key("p")).toBeUndefined();
  expect(found.has("p")).toBe(false);
  expect(await found.key("p")).toBe("second");
  expect(found.has("p")).toBe(true);
});

it("kills a key command that hangs, with its children", async () => {
  const found = keys({ apiKey: "!echo $$; sleep 1000 & wait" }, {}, 200);
  expect(await found.key("p")).toBeUndefined();
  const waiting = new AbortController();
  const slow = keys({ apiKey: "!sleep 5" }, {}, 1000).key("p", waiting.signal);
  waiting.abort();
  expect(await slow).toBeUndefined();
});

it("ends a key command that prints without end, long before its time is up", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-keys-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "pid");
  const begun = performance.now();
  expect(await keys({ apiKey: `!echo $$ > ${path}; exec yes` }, {}, 60_000).key("p")).toBeUndefined();
  expect(performance.now() - begun).toBeLessThan(15_000);
  const pid = Number(readFileSync(path, "utf8"));
  await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
