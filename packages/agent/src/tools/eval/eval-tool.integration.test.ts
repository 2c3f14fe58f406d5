import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { needs, SANDBOX } from "@gantry/testkit";
import { openTrustStore } from "@gantry/trust";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ToolOutput } from "../../contract/tool.ts";
import { findSandbox } from "../../sandbox/sandbox.ts";
import { describeProgram, openProjectTrust } from "../../trust/project-trust.ts";
import { type Exec, startExec } from "../testing/exec-context.ts";
import { languagesOf, launch } from "./languages.ts";
import { inText } from "./show.ts";

const sandbox = await findSandbox("auto");
const hasPython = spawnSync("python3", ["--version"]).status === 0;
let exec: Exec;
beforeEach(() => {
  exec = startExec({ innerCall: answer });
});
afterEach(() => exec.close());

async function answer(name: string, args: unknown): Promise<ToolOutput> {
  if (name === "broken") return { content: [{ type: "text", text: "it broke" }], isError: true };
  return { content: [{ type: "text", text: `${name} ${JSON.stringify(args)}` }] };
}
const cells = (language: string, codes: string[], more = {}, signal?: AbortSignal) =>
  exec.call("eval", { cells: codes.map((code) => ({ language, code, timeout: 60, ...more })) }, signal);
const js = async (code: string, more = {}) => (await cells("js", [code], more)).text;
const py = async (code: string, more = {}) => (await cells("py", [code], more)).text;

describe("JavaScript cells", () => {
  it("preserve state, await at the top level, allow redeclaration, import and require", async () => {
    expect(await js("const x = await Promise.resolve(41); x + 1")).toBe("42");
    expect(await js("const x = 5; function f() { return x } class A {}; f()")).toBe("5");
    expect(
      await js(
        "import { join, basename as base } from 'node:path'\nimport os from 'node:os'\njoin(base('/a/b'), typeof os.EOL) + (new A() ? f() : 0)",
      ),
    ).toBe("b/string5");
    expect(await js("console.log('hi', { a: [1] }); console.error('err'); require('node:fs').existsSync('/')")).toBe(
      "hi { a: [ 1 ] }\nerr\ntrue",
    );
    expect(await js("(await import('node:path')).sep")).toBe("/");
    writeFileSync(join(exec.cwd, "own.mjs"), "export default 3");
    expect(await js("import own from './own.mjs'\nown")).toBe("3");
    expect(await js("undefined")).toBe("(no output)");
  });

  it("show errors, and skip the cells after a failed one", async () => {
    const result = await cells("js", ["1", "throw new TypeError('bad')", "never"]);
    expect(result.isError).toBe(true);
    expect(result.text).toContain("[1/3]\n1");
    expect(result.text).toContain("TypeError: bad");
    expect(result.text).toContain("Cell 2 failed; 1 more was not run.");
    expect(await js("not valid js")).toContain("SyntaxError");
    expect(await js("Promise.reject(new Error('lost')); 1")).toContain("1");
  });

  it("call other tools, and receive their failures", async () => {
    expect(await js("await tool.read({ path: 'a' })")).toBe('read {"path":"a"}');
    expect(await js("try { await tool.broken() } catch (error) { error.message }")).toBe("it broke");
  });

  it("are stopped in a busy loop and in a wait, and preserve their state", async () => {
    await js("var value = 7");
    expect(await js("while (true) {}", { timeout: 1 })).toContain("Command timed out after 1 seconds");
    expect(await js("await new Promise(() => {})", { timeout: 1 })).toContain("Command timed out after 1 seconds");
    expect(await js("value")).toBe("7");
  });

  it("start fresh on reset, and restart once after the kernel died", async () => {
    await js("var value = 7");
    expect(await js("typeof value", { reset: true })).toBe("undefined");
    expect(await js("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})")).toContain(
      "The kernel has ended",
    );
    expect(await js("1")).toContain("[The kernel had died and was restarted; its state is lost.]\n1");
    await js("process.kill(process.pid, 'SIGKILL'); await new Promise(() => {})");
    expect(await js("1")).toContain("died repeatedly");
    expect(await js("1", { reset: true })).toBe("1");
  });

  it("return pictures as images", async () => {
    const { content } = await cells("js", ["display({ type: 'image', mimeType: 'image/png', data: 'aGk=' })"]);
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: "aGk=" });
  });

  it("store a long output as an artifact", async () => {
    const { text } = await cells("js", ["for (let i = 0; i < 20000; i++) console.log('line', i)"]);
    expect(text).toContain("artifact://0");
    expect(text.length).toBeLessThan(52_000);
    expect(exec.artifacts[0]).toContain("line 0\n");
  });
});

describe.skipIf(!hasPython)("Python cells", needs({ reason: "python3 is not installed." }), () => {
  it("preserve state, show the last value, and await at the top level", async () => {
    expect(await py("x = 20\nx + 1")).toBe("21");
    expect(await py("print('a', end=''); print('b')\nx")).toBe("ab\n20");
    expect(await py("import asyncio\nawait asyncio.sleep(0)\nx * 2")).toBe("40");
    expect(await py("x;")).toBe("(no output)");
  });

  it("support the magics", async () => {
    mkdirSync(join(exec.cwd, "sub"));
    expect(await py("%pwd")).toBe(`'${exec.cwd}'`);
    expect(await py("%cd sub\n%pwd")).toContain("/sub'");
    expect(await py("%cd ..\n%ls")).toContain("'sub'");
    expect(await py("%env A_B=c\n%env A_B")).toBe("'c'");
    expect(await py("%set_env A_B d e\n%env A_B")).toBe("'d e'");
    expect(await py("%%writefile made.py\nmade = 3")).toContain("Writing made.py");
    expect(await py("%run made.py\nmade")).toBe("3");
    expect(await py("%load made.py\nmade")).toBe("3");
    expect(await py("%%bash\necho $((1+2))")).toBe("3");
    expect(await py("%%sh\necho sh")).toBe("sh");
    expect(await py("!echo out")).toBe("out");
    expect(await py("y = !printf 'a\\nb'\n(y.n, y.s)")).toBe("('a\\nb', 'a b')");
    expect(await py("w = %pwd\nw")).toContain("'");
    expect(await py("%%capture c\nprint(9)")).toBe("(no output)");
    expect(await py("c")).toBe("'9\\n'");
    expect(await py("%time sum(range(10))")).toMatch(/\[time, ms [\d.]+\]\n45/);
    expect(await py("%timeit 1+1")).toMatch(/\[timeit, ms/);
    expect(await py("%who")).toContain("'made'"); // prose-ignore: a magic of IPython
    expect(await py("%reset\n%who")).toBe("[]"); // prose-ignore: a magic of IPython
    expect(await py("%nope")).toContain("NameError: UsageError");
    expect(await py("s = '''\n%no magic\n'''\ns")).toBe("'\\n%no magic\\n'");
    expect(await py("7 % 4")).toBe("3");
  });

  it("show errors with the cell's line numbers, and rich values in their best form", async () => {
    expect(await py("def f():\n    return 1/0\nf()")).toMatch(
      /line 3, in <module>[\s\S]*line 2, in f[\s\S]*ZeroDivisionError/,
    );
    expect(
      await py(
        "class T:\n    def _repr_html_(self): return '<table><tr><td>1</td><td>a&amp;b</td></tr></table>'\n    def __repr__(self): return 'plain'\nT()",
      ),
    ).toBe("plain");
    const { content, details } = await cells("py", [
      "class P:\n    def _repr_png_(self): return b'hi'\ndisplay(P())\n{'a': 1}",
    ]);
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: "aGk=" });
    expect(details).toMatchObject({ cells: [{ data: [{ a: 1 }] }] });
    expect(await py("input()")).toContain("EOFError");
    expect(await py("import sys; sys.exit(3)")).toContain("SystemExit");
    expect(await py("import os; os.write(1, b'raw'); 5")).toBe("5");
  });

  it("have helpers for files, which report their effect", async () => {
    expect(await py("write('made/a.txt', 'one\\ntwo\\nthree\\n')")).toBe(
      "[write, path made/a.txt, chars 14]\n'made/a.txt'",
    );
    expect(await py("append('made/a.txt', 'four\\n'); read('made/a.txt', offset=2, limit=2)")).toContain(
      "'two\\nthree\\n'",
    );
    expect(await py("print(tree())")).toContain("made/\n  a.txt");
    expect(await py("write('b.txt', 'one\\n'); print(diff('made/a.txt', 'b.txt'))")).toContain("-two");
    expect(await py("stat('b.txt')['size'], env('HELPED', 1), env('HELPED')")).toBe("(4, '1', '1')");
    expect(await py("%reset\ncallable(read)")).toBe("True");
    expect(await py("write('mine.py', 'x = 5'); import mine; mine.x")).toContain("5");
  });

  it("show figures of matplotlib or a compatible module, and close them", async () => {
    mkdirSync(join(exec.cwd, "matplotlib"));
    writeFileSync(join(exec.cwd, "matplotlib/__init__.py"), "");
    writeFileSync(
      join(exec.cwd, "matplotlib/pyplot.py"),
      "numbers = []\nclass Figure:\n    def savefig(self, out, **_): out.write(b'hi')\ndef get_fignums(): return list(numbers)\ndef figure(number=1):\n    if number not in numbers: numbers.append(number)\n    return Figure()\ndef close(number): numbers.remove(number)\n",
    );
    const { content } = await cells("py", [
      "import os, matplotlib.pyplot as plt\nplt.figure(); os.environ['MPLBACKEND']",
    ]);
    expect(content).toContainEqual({ type: "image", mimeType: "image/png", data: "aGk=" });
    expect((await cells("py", ["plt.get_fignums()"])).text).toBe("[]");
  });

  it("lose their state after each call if the settings require it, but not within a call", async () => {
    await exec.close();
    exec = startExec({ forgetful: true });
    expect((await cells("py", ["x = 1", "x + 1"])).text).toContain("2");
    expect(await py("x")).toContain("NameError");
    await js("var value = 1");
    expect(await js("value")).toBe("1");
  });

  it("are interrupted and preserve their state; code that ignores the interrupt is killed", async () => {
    await py("value = 7");
    expect(await py("import time\ntime.sleep(600)", { timeout: 1 })).toContain("Command timed out after 1 seconds");
    const stop = new AbortController();
    const work = cells("py", ["print('in', flush=True)\nwhile True: pass"], {}, stop.signal);
    while (!exec.progress.includes("in")) await pause(10);
    stop.abort();
    expect((await work).text).toContain("Aborted");
    expect(await py("value")).toBe("7");
    const stubborn = "import time\nwhile True:\n    try:\n        time.sleep(600)\n    except KeyboardInterrupt: pass";
    expect(await py(stubborn, { timeout: 1 })).toContain("The kernel has ended");
    expect(await py("'value' in dir()")).toContain("False");
  });

  it("see no keys", async () => {
    await exec.close();
    exec = startExec({ env: { PATH: process.env.PATH, HOME: process.env.HOME, OPENAI_API_KEY: "sk-1", OTHER: "x" } });
    expect(await py("import os\nsorted(k for k in os.environ if k in ('OPENAI_API_KEY', 'OTHER', 'HOME'))")).toBe(
      "['HOME']",
    );
  });

  it.skipIf(sandbox.kind === "none")(
    "restarts a kernel in a new sandbox when the mode changes",
    needs(SANDBOX),
    async () => {
      exec.mode = "auto-edit";
      expect(await py("open('made', 'w').close(); 1")).toBe("1");
      expect(await py("open('/var/tmp/not-made-here', 'w')")).toMatch(/Read-only file system/);
      expect(existsSync(join(exec.cwd, "made"))).toBe(true);
      exec.mode = "full-auto";
      expect(await py("1")).toContain("because its permissions changed");
    },
  );
});

describe("languages", () => {
  const place = (cwd: string) => ({
    cwd,
    agentDir: join(cwd, "home/agent"),
    gantryHome: join(cwd, "home"),
    home: "/nowhere",
  });
  const trustPrograms = (cwd: string, programs: string[]) =>
    openTrustStore(join(cwd, "home")).trust(
      cwd,
      programs.flatMap((program) => describeProgram("kernel", program, [cwd]) ?? []),
    );
  const options = (cwd: string, env: Record<string, string>) => ({
    ...place(cwd),
    env,
    trust: openProjectTrust(place(cwd)),
  });
  it("report what is missing, and find virtual environments in order", () => {
    expect(launch("py", options(exec.cwd, { PATH: "/nowhere" }))).toEqual({
      missing: expect.stringContaining("no Python"),
    });
    const command = (env: Record<string, string>) => {
      const found = launch("py", options(exec.cwd, env));
      return "command" in found ? [found.command[0], found.env.PATH] : [];
    };
    const programs: string[] = [];
    for (const name of ["home/python-env", "venv", ".venv", "active"]) {
      mkdirSync(join(exec.cwd, name, "bin"), { recursive: true });
      writeFileSync(join(exec.cwd, name, "bin/python"), "");
      programs.push(join(exec.cwd, name, "bin/python"));
      trustPrograms(exec.cwd, programs);
      const env = { PATH: "/bin", ...(name === "active" && { VIRTUAL_ENV: join(exec.cwd, "active") }) };
      expect(command(env)).toEqual([join(exec.cwd, name, "bin/python"), `${join(exec.cwd, name, "bin")}:/bin`]);
    }
  });

  it("do not use an interpreter of the project before it is trusted, and report it", () => {
    const python = join(exec.cwd, ".venv/bin/python");
    for (const folder of [".venv/bin", "tools"]) {
      mkdirSync(join(exec.cwd, folder), { recursive: true });
      writeFileSync(join(exec.cwd, folder, folder === "tools" ? "python3" : "python"), "");
    }
    const path = `${join(exec.cwd, "tools")}:tools::.`;
    const env = { PATH: path, VIRTUAL_ENV: join(exec.cwd, ".venv") };
    expect(launch("py", options(exec.cwd, env))).toEqual({
      missing: expect.stringContaining(`${python} is not used: it is not trusted.`),
    });
    trustPrograms(exec.cwd, [python]);
    expect(launch("py", options(exec.cwd, env))).toMatchObject({ command: [python, "-u", expect.any(String)] });
    writeFileSync(python, "changed");
    expect(launch("py", options(exec.cwd, env))).toEqual({ missing: expect.stringContaining("gantry trust") });
  });

  it("come from the settings, or from the environment", () => {
    expect(languagesOf({}, undefined)).toEqual(["py", "js"]);
    expect(languagesOf({ py: false }, undefined)).toEqual(["js"]);
    expect(languagesOf({ py: false }, "1")).toEqual(["py"]);
    for (const wish of ["0", "bash"]) expect(languagesOf({}, wish)).toEqual(["js"]);
    for (const wish of ["mix", "both"]) expect(languagesOf({ py: false, js: false }, wish)).toEqual(["py", "js"]);
  });

  it("offer only JavaScript without Python", async () => {
    await exec.close();
    exec = startExec({ env: { PATH: "/nowhere" }, sandbox: "off" });
    expect(await py("1")).toMatch(/There is no Python here.*js cells work here/);
    expect((await exec.call("eval", { cells: [{ code: "typeof process" }] })).text).toBe("object");
    expect(await js("1 + 1")).toBe("2");
  });

  it("show tables as lines", () => {
    expect(
      inText({ "text/html": "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>&lt;2</td></tr></table>" }).text,
    ).toBe("a | b | \n1 | <2 |");
  });
});
