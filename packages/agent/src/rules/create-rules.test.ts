import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createRules } from "./create-rules.ts";

let home: string;
let cwd: string;
let agentDir: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "gantry-rules-"));
  cwd = join(home, "repo/app");
  agentDir = join(home, "agent");
  mkdirSync(join(home, "repo/.git"), { recursive: true });
  mkdirSync(cwd, { recursive: true });
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function put(path: string, text: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), text);
}
const load = () => createRules({ cwd, agentDir, home });
const system = async () => (await load()).system().join("\n\n");
const signal = AbortSignal.timeout(10_000);

describe("finding", () => {
  it("reads every location, and the first rule of a name wins", async () => {
    put("repo/app/.gantry/rules/one.md", "---\ndescription: native\n---\nN");
    put("repo/app/.cursor/rules/one.mdc", "---\ndescription: cursor\n---\nC");
    put("agent/rules/one.md", "---\ndescription: user\n---\nU");
    put("agent/rules/two.mdc", "---\nalwaysApply: true\n---\nTWO");
    put("repo/.gantry/rules/three.md", "---\ndescription: from the root\n---\n3");
    put("repo/app/.cursor/rules/deep/four.mdc", "---\ndescription: four\nalwaysApply: false\n---\n4");
    put("repo/app/.cursorrules", "CURSOR LEGACY");
    put("repo/.windsurf/rules/five.md", "---\ntrigger: always_on\n---\nFIVE");
    put("repo/app/.windsurfrules", "WINDSURF LEGACY");
    put(".codeium/windsurf/memories/global_rules.md", "WINDSURF GLOBAL");
    put("repo/.clinerules/six.md", "CLINE SIX");
    const rules = await load();
    expect(rules.list().map(({ name, source, bucket }) => `${bucket} ${source} ${name}`)).toEqual([
      "always native two",
      "always cursor cursorrules",
      "always windsurf five",
      "always windsurf windsurfrules",
      "always windsurf global_rules",
      "always cline six",
      "rulebook native one",
      "rulebook native three",
      "rulebook cursor deep/four",
    ]);
    expect(rules.problems).toEqual([]);
    const text = rules.system().join("\n");
    for (const part of ["TWO", "CURSOR LEGACY", "FIVE", "WINDSURF GLOBAL", "CLINE SIX", "`rule://one`: native"])
      expect(text).toContain(part);
    expect(text).not.toContain("cursor\n");
    expect((await rules.urls.read("rule://deep/four", signal)).text).toBe("4");
    expect((await rules.urls.read("rule://two", signal)).text).toBe("TWO");
    await expect(rules.urls.read("rule://none", signal)).rejects.toThrow(/no rule none.*one, three/);
  });

  it("accepts .clinerules as a file", async () => {
    put("repo/.clinerules", "---\ndescription: file\n---\nX");
    expect((await load()).list()).toMatchObject([{ name: "clinerules", bucket: "rulebook" }]);
  });

  it("reports each mistake with its line, and loads the rest", async () => {
    put(
      "repo/app/.gantry/rules/bad.md",
      '---\ndescription: d\ncondition:\n  - "fine"\n  - "(oops"\ninterruptMode: sometimes\n---\nX',
    );
    put("repo/app/.gantry/rules/lost.md", "just text");
    put("repo/app/.gantry/rules/odd.md", "---\ndescription: ok\nglobs: *.ts, src/{a,b}/*.js\n%%%\n---\nX");
    put("repo/app/.gantry/rules/wrong.md", "---\nalwaysApply: 'yes'\ndescription: [1]\n---\nX");
    mkdirSync(join(cwd, ".gantry/rules/folder.md"));
    symlinkSync("/nowhere", join(cwd, ".gantry/rules/gone.md"));
    const { problems, list } = await load().then((rules) => ({ problems: rules.problems, list: rules.list() }));
    const reported = problems.map(({ file, line, message }) => `${file.split("/").at(-1)}:${line ?? ""} ${message}`);
    expect(reported.find((text) => text.startsWith("bad.md:5 "))).toMatch(/regular expression/);
    expect(reported.find((text) => text.startsWith("bad.md:6 "))).toMatch(/interruptMode/);
    expect(reported.find((text) => text.startsWith("lost.md"))).toMatch(/never used/);
    expect(reported.find((text) => text.startsWith("odd.md:4"))).toMatch(/neither YAML/);
    expect(reported.filter((text) => text.startsWith("wrong.md"))).toHaveLength(3);
    expect(reported.find((text) => text.startsWith("gone.md"))).toMatch(/cannot be read/);
    expect(list.find(({ name }) => name === "odd")?.globs).toEqual(["*.ts", "src/{a,b}/*.js"]);
    expect(list.find(({ name }) => name === "bad")?.bucket).toBe("stream");
  });
});

describe("context files", () => {
  it("are ordered user, root, folder, and identical texts are included once", async () => {
    put("agent/AGENTS.md", "USER");
    put("repo/AGENTS.md", "ROOT");
    put("repo/CLAUDE.md", "@AGENTS.md\n");
    put("repo/app/CLAUDE.md", "APP");
    put("repo/app/AGENTS.md", "APP");
    put("repo/app/GEMINI.md", "LEFT OUT");
    put("AGENTS.md", "ABOVE THE REPOSITORY");
    const text = await system();
    expect([...text.matchAll(/USER|ROOT|APP|LEFT OUT|ABOVE/g)].map(([word]) => word)).toEqual(["USER", "ROOT", "APP"]);
  });

  it("of the user are read from the places of other tools too", async () => {
    put(".claude/CLAUDE.md", "CLAUDE'S USER, see @notes.md");
    put(".claude/notes.md", "NOTES");
    put(".codex/AGENTS.md", "CODEX'S USER");
    put("agent/AGENTS.md", "OWN");
    put("repo/AGENTS.md", "ROOT");
    expect(await system()).toMatch(/CODEX'S USER[\s\S]*NOTES[\s\S]*CLAUDE'S USER[\s\S]*OWN[\s\S]*ROOT/);
  });

  it("import others with @, each once, also in cycles, and nothing from code or from outside the project", async () => {
    put(".ssh/id_rsa", "PRIVATE KEY");
    put("repo/CLAUDE.md", "See @docs/style.md and @./docs/style.md.\n@~/.ssh/id_rsa `@docs/code.md` me@docs/mail.md");
    put("repo/docs/style.md", "STYLE\n@../CLAUDE.md @deeper.md");
    put("repo/docs/deeper.md", "DEEPER\n```\n@code.md\n```\n@missing.md @docs");
    put("repo/docs/code.md", "LEFT OUT");
    put("repo/docs/mail.md", "LEFT OUT");
    symlinkSync(join(home, ".ssh/id_rsa"), join(home, "repo/docs/link.md"));
    put("repo/app/CLAUDE.md", "@../docs/link.md\n@../docs/style.md\n");
    const rules = await load();
    const text = rules.system().join("\n");
    expect([...text.matchAll(/^(STYLE|DEEPER|LEFT OUT|PRIVATE KEY)$/gm)].map(([word]) => word)).toEqual([
      "DEEPER",
      "STYLE",
    ]);
    expect(rules.problems.map(({ message }) => message)).toEqual([
      "@~/.ssh/id_rsa is outside of the project, and is not read",
      "@../docs/link.md is outside of the project, and is not read",
    ]);
  });

  it("of other tools are read in folders without AGENTS.md or CLAUDE.md", async () => {
    put("repo/.github/copilot-instructions.md", "COPILOT");
    put("repo/app/GEMINI.md", "GEMINI");
    expect(await system()).toMatch(/COPILOT[\s\S]*GEMINI/);
  });

  it("of inner folders are injected once, when a file there is read or changed", async () => {
    put("repo/lib/AGENTS.md", "LIB");
    put("repo/lib/deep/CLAUDE.md", "DEEP");
    put("repo/lib/deep/x.ts", "");
    const rules = await load();
    const read = [{ kind: "file.read" as const, path: join(home, "repo/lib/deep/x.ts") }];
    expect(rules.injectFor(read)?.text).toMatch(/LIB[\s\S]*DEEP/);
    expect(rules.injectFor(read)).toBeUndefined();
    expect(rules.injectFor([{ kind: "file.read", path: join(home, "elsewhere/x.ts") }])).toBeUndefined();
  });
});

describe("globs", () => {
  it("inject a rule once when a file matches, and not again after a resume", async () => {
    put("repo/app/.gantry/rules/ts.md", "---\nglobs: ['*.ts', '!*.test.ts']\n---\nTYPES");
    put("repo/app/.gantry/rules/api.md", "---\ndescription: api\nglobs: src/api/**\n---\nAPI");
    const rules = await load();
    const at = (path: string) => rules.injectFor([{ kind: "file.write", path: join(cwd, path) }]);
    expect(at("a.js")).toBeUndefined();
    expect(at("x/a.test.ts")).toBeUndefined();
    expect(rules.injectFor([{ kind: "bash.readonly", command: "cat a.ts" }])).toBeUndefined();
    expect(at("x/a.ts")).toMatchObject({ rules: [{ name: "ts" }], text: expect.stringContaining("TYPES") });
    expect(at("x/b.ts")).toBeUndefined();
    expect(at("src/api/deep/c.py")?.rules).toMatchObject([{ name: "api" }]);
    const resumed = await load();
    resumed.restore(["ts"]);
    expect(resumed.injectFor([{ kind: "file.read", path: join(cwd, "a.ts") }])).toBeUndefined();
    resumed.restore([]);
    expect(resumed.injectFor([{ kind: "file.read", path: join(cwd, "a.ts") }])).toBeDefined();
  });
});
