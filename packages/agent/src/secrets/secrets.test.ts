import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSecrets, type SecretsOptions } from "./secrets.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "secrets-"));
  mkdirSync(join(root, "project", ".gantry"), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const create = (options: Partial<SecretsOptions> = {}) =>
  createSecrets({ enabled: true, env: {}, cwd: join(root, "project"), agentDir: join(root, "agent"), ...options });
const globalFile = (text: string) => {
  mkdirSync(join(root, "agent"), { recursive: true });
  writeFileSync(join(root, "agent", "secrets.yml"), text);
};
const projectFile = (text: string) => writeFileSync(join(root, "project", ".gantry", "secrets.yml"), text);

test("changes, reads and writes nothing when it is off", async () => {
  globalFile("nonsense: [");
  const secrets = await create({ enabled: undefined, env: { MY_TOKEN: "long-enough-value" } });
  const body = { text: "long-enough-value" };
  expect(secrets.seal(body)).toBe(body);
  expect([secrets.size, secrets.problems]).toEqual([0, []]);
  expect(existsSync(join(root, "agent", "secrets.salt"))).toBe(false);
});

test("covers variables with secret-like names and values of eight characters or more", async () => {
  const env = {
    MY_TOKEN: "12345678",
    DB_PASSWORD: "1234567",
    API_KEY_ID: "abcdefgh",
    KEYBOARD: "qwertyuiop",
    HOME: "/home/mememe",
  };
  const { seal, size } = await create({ env });
  expect(size).toBe(2);
  expect(seal(["12345678", "1234567x", "abcdefgh", "qwertyuiop", "/home/mememe"])).toEqual([
    expect.stringMatching(/^#\w{8}#$/),
    "1234567x",
    expect.stringMatching(/^#\w{8}#$/),
    "qwertyuiop",
    "/home/mememe",
  ]);
});

test("the project's entry wins over the global one with the same content, and the environment's over both", async () => {
  globalFile("- type: plain\n  content: shared-secret\n- type: plain\n  content: only-global\n");
  projectFile(
    "- type: plain\n  content: shared-secret\n  mode: replace\n  replacement: REDACTED\n- {type: plain, content: from-the-env, mode: replace}\n",
  );
  const { seal, size } = await create({ env: { A_SECRET: "from-the-env" } });
  expect(size).toBe(3);
  expect(seal(["shared-secret", "only-global", "from-the-env"])).toEqual([
    "REDACTED",
    expect.stringMatching(/^#\w{8}#$/),
    expect.stringMatching(/^#\w{8}#$/),
  ]);
});

test("reports mistakes with their lines and without the secret, and uses the other entries", async () => {
  globalFile(
    [
      "- type: plain",
      "  content: good-secret",
      "- type: plain",
      "  content: abc",
      "- type: regex",
      '  content: "([unclosed-secret"',
      "- type: simple",
      "  content: x-secret-x",
      "- type: plain",
      "  content: fine-secret",
      "  replacement: no",
      "- 5",
    ].join("\n"),
  );
  projectFile("- type: plain\n  content: [half-a-secret\n");
  const { seal, problems, size } = await create();
  expect(problems.map(({ line, path }) => [line, path])).toEqual([
    [4, "0.content".replace("0", "1")],
    [6, "2.content"],
    [7, "3.type"],
    [11, "4.replacement"],
    [12, "5"],
    [expect.any(Number), ""],
  ]);
  expect(JSON.stringify(problems)).not.toMatch(/half-a-secret|x-secret-x/);
  expect(size).toBe(1);
  expect(seal("good-secret")).toMatch(/^#/);
  projectFile("a: mapping\n");
  expect((await create()).problems.at(-1)).toMatchObject({ line: 1, message: expect.stringContaining("list") });
  projectFile("# nothing\n");
  expect((await create()).problems).toHaveLength(5);
});

test("reports a file that cannot be read and a folder that cannot be written", async () => {
  mkdirSync(join(root, "agent", "secrets.yml"), { recursive: true });
  const first = await create({ env: { MY_TOKEN: "long-enough-value" } });
  expect(first.problems).toMatchObject([{ file: join(root, "agent", "secrets.yml") }]);
  writeFileSync(join(root, "file"), "");
  const second = await create({ agentDir: join(root, "file"), env: { MY_TOKEN: "long-enough-value" } });
  expect(second.problems.at(-1)?.message).toContain("this run only");
  expect(second.open(second.seal("a long-enough-value"))).toBe("a long-enough-value");
});

test("a regex: literal syntax, flags, no stickiness", async () => {
  projectFile(
    [
      '- {type: regex, content: "/bearer\\\\s+[a-z\\\\/]+/i"}',
      '- {type: regex, content: "api_key=\\\\w+", flags: "iy"}',
    ].join("\n"),
  );
  const { seal, problems } = await create();
  expect(problems).toEqual([]);
  expect(seal("x Bearer ab/c, API_KEY=z, api_key=q")).toMatch(/^x #\w{8}#, #\w{8}#, #\w{8}#$/);
});

test("gives a secret the same name in every process of the folder, also in two that start at once", async () => {
  const program = `
    import { createSecrets } from ${JSON.stringify(new URL("./secrets.ts", import.meta.url).href)};
    const { seal } = await createSecrets({ enabled: true, env: { A_KEY: "the-same-secret" }, cwd: "/", agentDir: process.argv[1] });
    console.log(seal("the-same-secret"));`;
  const args = ["--disable-warning=ExperimentalWarning", "--input-type=module", "-e", program, join(root, "agent")];
  const run = promisify(execFile);
  const runs = await Promise.all([1, 2, 3, 4].map(() => run(process.execPath, args)));
  const { seal } = await create({ env: { A_KEY: "the-same-secret" } });
  expect(new Set(runs.map(({ stdout }) => stdout.trim()))).toEqual(new Set([seal("the-same-secret")]));
  expect(statSync(join(root, "agent", "secrets.salt")).mode & 0o777).toBe(0o600);
});

test("covers values that were resolved elsewhere, and opens them in arguments together with their keys", async () => {
  const { seal, open, opener } = await create({ values: () => ["sk-resolved-key", "short"] });
  const sealed = seal({ "sk-resolved-key": ["use sk-resolved-key", "short"] });
  expect(JSON.stringify(sealed)).not.toContain("sk-resolved-key");
  expect(open(sealed)).toEqual({ "sk-resolved-key": ["use sk-resolved-key", "short"] });
  const { push, end } = opener();
  const name = seal("sk-resolved-key") as string;
  expect([push(`a ${name.slice(0, 4)}`), push(name.slice(4)), push("#"), end()]).toEqual([
    "a ",
    "sk-resolved-key",
    "",
    "#",
  ]);
});

test("accepts the example file of docs/user/secrets.md", async () => {
  const document = readFileSync(new URL("../../../../docs/user/secrets.md", import.meta.url), "utf8");
  const [, file = ""] = [...document.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text]) => text ?? "");
  projectFile(file);
  const { seal, problems, size } = await create();
  expect([size, problems]).toEqual([4, []]);
  expect(seal("hunter2 AKIAABCDEFGHIJKLMNOP BEARER a.b")).toMatch(/^\*{8} #\w{8}# #\w{8}#$/);
});

test("covers a value that is added later, and still opens what was sealed before", async () => {
  const found: string[] = [];
  const secrets = await create({ env: { A_TOKEN: "known-from-the-start" }, values: () => found });
  const before = secrets.seal("known-from-the-start and sk#late-key") as string;
  expect(before).toContain("sk#late-key");
  const opening = secrets.opener();
  found.push("sk#late-key");
  const after = secrets.seal("known-from-the-start and sk#late-key") as string;
  expect(after).not.toMatch(/known-from|late-key/);
  expect(secrets.open([before, after])).toEqual(Array(2).fill("known-from-the-start and sk#late-key"));
  expect(opening.push(before) + opening.end()).toBe("known-from-the-start and sk#late-key");
  expect(secrets.size).toBe(2);
});
