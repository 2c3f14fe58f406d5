import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine, inProcess } from "../../command-line.harness.ts";

const home = mkdtempSync(join(tmpdir(), "gantry-auth-"));
const spawned = commandLine(home);
/** Without a PATH, so that the tests cannot reach the developer's keychain. */
const gantry = (args: string[], { input = "" } = {}) => inProcess(home, args, input);
const SLOW = 120_000;
afterAll(() => rmSync(home, { recursive: true, force: true }));

test(
  "a key is stored, listed without its value, and removed",
  async () => {
    expect((await gantry(["auth", "list"])).stdout).toContain("No keys and no logins");
    const set = await gantry(["auth", "set", "openai"], { input: "sk-test-key-one\n" });
    expect(set).toMatchObject({ status: 0, stdout: expect.stringContaining("openai: stored as key ") });
    await gantry(["auth", "set", "openai"], { input: "sk-test-key-two\n" });
    const listed = await gantry(["auth", "list"]);
    expect(listed.stdout).toMatch(/1 +openai +key +key \w{8} +ready\n2 +openai/);
    const json = await gantry(["auth", "list", "--json"]);
    expect(JSON.parse(json.stdout).stored).toHaveLength(2);
    expect(set.stdout + listed.stdout + json.stdout).not.toContain("sk-test");
    const status = await gantry(["auth", "status"]);
    expect(status.stdout).toMatch(/protection +(not encrypted|sealed)/);
    expect((await gantry(["auth", "logout", "openai", "--id", "1"])).status).toBe(0);
    expect((await gantry(["auth", "logout", "openai"])).stdout).toContain("removed: key");
    expect(await gantry(["auth", "logout", "openai"])).toMatchObject({ status: 2 });
  },
  SLOW,
);

test(
  "a login that is not possible names the alternative",
  async () => {
    expect(await gantry(["auth", "set", "openai"], { input: "two parts\n" })).toMatchObject({ status: 2 });
    expect(await gantry(["auth", "set", "../x"], { input: "sk-test-key" })).toMatchObject({ status: 2 });
    const none = await gantry(["auth", "login", "groq"]);
    expect(none).toMatchObject({ status: 2, stderr: expect.stringContaining("gantry auth set groq") });
    const nowhere = await gantry(["auth", "login"]);
    expect(nowhere).toMatchObject({ status: 2, stderr: expect.stringContaining("Logins: anthropic") });
    const google = await gantry(["auth", "login", "google"]);
    expect(google.stderr).toContain("GANTRY_GOOGLE_CLIENT_ID");
    expect(await gantry(["auth", "login", "anthropic", "--way", "device"])).toMatchObject({ status: 2 });
  },
  SLOW,
);

test(
  "the broker serves until a signal and prints its token once",
  async () => {
    const begin = async () => {
      let url = "";
      return await spawned(["auth", "broker", "serve", "--port", "0"], {
        onOutput: (stdout, kill) => {
          const found = /broker ready (\S+)\ntoken .*\n/.exec(stdout)?.[1];
          if (!found || url) return;
          url = found;
          const token = readFileSync(join(home, "agent", "broker.token"), "utf8").trim();
          void fetch(`${url}/v1/snapshot`, { headers: { Authorization: `Bearer ${token}` } })
            .then(async (response) => (answer = await response.text()))
            .finally(() => kill("SIGTERM"));
        },
      });
    };
    let answer = "";
    const first = await begin();
    expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/token gbt_\S+ \(shown once/) });
    expect(JSON.parse(answer)).toMatchObject({ credentials: expect.any(Array) });
    const second = await begin();
    expect(second.stdout).not.toContain("gbt_");
  },
  SLOW,
);

test("the broker's token is printed and can be replaced", async () => {
  const first = (await gantry(["auth", "broker", "token"])).stdout;
  expect(first).toMatch(/^gbt_\S+\n$/);
  expect((await gantry(["auth", "broker", "token"])).stdout).toBe(first);
  expect((await gantry(["auth", "broker", "token", "--new"])).stdout).not.toBe(first);
});

test("credentials of other programs are imported from a file or a folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-import-"));
  writeFileSync(join(folder, "all.json"), '{"mistral":{"type":"api_key","key":"sk-imported-key"}}');
  writeFileSync(join(folder, "odd.json"), "[]");
  const dry = await gantry(["auth", "import", folder, "--dry-run"]);
  expect(dry).toMatchObject({ status: 0, stdout: "1 credential would be stored: mistral\n" });
  expect(dry.stderr).toContain("odd.json contains no credentials");
  expect((await gantry(["auth", "list"])).stdout).not.toContain("mistral");
  expect((await gantry(["auth", "import", join(folder, "all.json")])).stdout).toBe("1 credential stored: mistral\n");
  expect((await gantry(["auth", "list"])).stdout).toMatch(/mistral +key/);
  expect(await gantry(["auth", "import", join(folder, "odd.json")])).toMatchObject({ status: 2 });
  expect(await gantry(["auth", "import", "/no/such"])).toMatchObject({ status: 2 });
  expect(await gantry(["auth", "broker", "migrate"])).toMatchObject({ status: 2 });
  expect(await gantry(["auth", "mcp", "missing"])).toMatchObject({ status: 2 });
  rmSync(folder, { recursive: true, force: true });
});

test("a client of a broker stores no credentials", async () => {
  const file = join(home, "agent", "config.yml");
  writeFileSync(file, "auth:\n  broker: { url: 'http://127.0.0.1:9', token: a-token }\n");
  expect(await gantry(["auth", "set", "openai"], { input: "sk-test-key-one" })).toMatchObject({
    status: 3,
    stderr: expect.stringContaining("from a broker"),
  });
  rmSync(file);
});
