import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startScriptedModel } from "@gantry/testkit";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { publishedPackages, readWorkspace } from "../../scripts/pack/workspace.ts";
import { root } from "../../scripts/steps.ts";
import { eventually } from "../harness/wait.ts";
import { Machine } from "./installation.ts";
import { CONNECT, FAKE_SYSTEMCTL, typedProgram } from "./programs.ts";
import { startFakeRegistry } from "./registry.fake.ts";

const TIMEOUT_MS = 300_000;
const machine = new Machine();
const workspace = readWorkspace(root);
const libraries = publishedPackages(workspace).map(({ manifest }) => manifest);
const { devDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>;
};

beforeAll(async () => {
  const names = machine.pack();
  const { version } = workspace;
  const expected = ["gantry", ...libraries.map(({ name }) => name.slice(1).replace("/", "-"))];
  expect(names).toEqual(expected.map((name) => `${name}-${version}.tgz`).sort());
  await machine.npm("install", "--global", "--prefix", machine.prefix, machine.tarball(/^gantry-\d/));
}, TIMEOUT_MS);
afterAll(() => machine.close(), TIMEOUT_MS);

const daemonFile = () =>
  JSON.parse(readFileSync(join(machine.home, ".gantry/daemon.json"), "utf8")) as {
    pid: number;
    url: string;
    version: string;
  };

describe("the installed command", () => {
  it("prints its version, and where it is", async () => {
    expect((await machine.gantry("version")).stdout).toBe(`${workspace.version}\n`);
    const { stdout } = await machine.gantry("version", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ installation: "global", folder: machine.package });
  });

  it("runs the demo with its own agent, and a turn of the scripted agent", async () => {
    const demo = await machine.gantry("demo", "--yes");
    expect(demo.stdout).toContain("NOTES.md");
    expect(demo).toMatchObject({ status: 0, stderr: "" });
    const turn = await machine.gantry("run", "-a", "scripted", "[[text]] hello");
    expect(turn).toMatchObject({ status: 0 });
  });

  it("serves the page", async () => {
    const { url } = daemonFile();
    const html = await (await fetch(new URL("/", url))).text();
    const [, script = ""] = /<script type="module"[^>]* src="([^"]+)"/.exec(html) ?? [];
    const loaded = await fetch(new URL(script, url));
    expect(loaded.status).toBe(200);
    expect(loaded.headers.get("content-type")).toContain("javascript");
  });

  it("starts the daemon with the settings of a clone, and stores its compiled code", async () => {
    const command = readFileSync(`/proc/${daemonFile().pid}/cmdline`, "utf8").split("\0");
    expect(command).toContain("--max-semi-space-size=4");
    const variables = readFileSync(`/proc/${daemonFile().pid}/environ`, "utf8");
    expect(variables).toContain("MALLOC_MMAP_THRESHOLD_=32768");
    await machine.waitForCompiledCode();
    const build = join(machine.package, `build-${workspace.version}`);
    expect(readdirSync(build).filter((name) => name.endsWith(".js.cache")).length).toBeGreaterThan(5);
  });

  it("names the Node that it needs when it runs with an older one", async () => {
    const old = join(machine.folder, "old-node.cjs");
    writeFileSync(
      old,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "18.20.0" } });',
    );
    const start = join(machine.package, `build-${workspace.version}`, "start.cjs");
    const { status, stderr } = await machine.run(process.execPath, ["--require", old, start, "version"]);
    expect(status).toBe(3);
    expect(stderr).toMatch(/^gantry: Node 24 or newer is needed, and this is Node 18\.20\.0 \(.*\)\.\n$/);
  });
});

describe("the libraries in an empty project", () => {
  const entries = libraries.flatMap(({ name, exports = {} }) =>
    Object.keys(exports).map((each) => `${name}${each.slice(1)}`),
  );

  beforeAll(async () => {
    writeFileSync(join(machine.project, "package.json"), JSON.stringify({ type: "module", private: true }));
    const tarballs = readdirSync(machine.tarballs).map((name) => join(machine.tarballs, name));
    await machine.npm("install", ...tarballs, `typescript@${devDependencies.typescript}`);
  }, TIMEOUT_MS);

  it("need nothing but packages of the registry, and no install script", () => {
    const lock = JSON.parse(readFileSync(join(machine.project, "package-lock.json"), "utf8")) as {
      packages: Record<string, { resolved?: string; hasInstallScript?: boolean }>;
    };
    const installed = Object.entries(lock.packages).filter(([path]) => path !== "");
    const registry = machine.env.npm_config_registry ?? "";
    const isKnown = (resolved?: string) => !resolved || resolved.startsWith(registry) || resolved.startsWith("file:");
    expect(installed.filter(([, { resolved }]) => !isKnown(resolved))).toEqual([]);
    expect(installed.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([]);
  });

  it("can be imported by every export", async () => {
    const program = entries.map((name) => `console.log("${name}", Object.keys(await import("${name}")).length > 0);`);
    writeFileSync(join(machine.project, "imports.js"), program.join("\n"));
    const { stdout, stderr } = await machine.run(process.execPath, ["imports.js"]);
    expect(stderr).toBe("");
    // The module of extensions has types only.
    const lines = entries.map((name) => `${name} ${name !== "@gantry/agent/extensions"}\n`);
    expect(stdout).toBe(lines.join(""));
  });

  it("embed the agent with a tool of the program", async () => {
    const model = await startScriptedModel({ defaults: { pace: 0 } });
    onTestFinished(() => model.close());
    const models = [{ id: "plain", contextWindow: 200_000, maxTokens: 8_000 }];
    const scripted = { baseUrl: `${model.url}/v1`, api: "openai-completions", auth: "none", models };
    const agent = join(machine.home, ".gantry/agent");
    mkdirSync(agent, { recursive: true });
    writeFileSync(join(agent, "models.yml"), JSON.stringify({ providers: { scripted } }));
    // The documented program of ten lines, as a user would copy it.
    copyFileSync(join(root, "docs/sdk/examples/minimal.ts"), join(machine.project, "minimal.ts"));
    const { stdout, stderr } = await machine.run(process.execPath, ["minimal.ts", '[[call:weather:{"city":"Oslo"}]]']);
    expect(stderr).toBe("");
    expect(JSON.stringify(model.requests().at(-1)?.body)).toContain("Sunny in Oslo");
    expect(stdout.trim()).not.toBe("");
  });

  it("connect to the daemon of the machine without arguments", async () => {
    writeFileSync(join(machine.project, "connect.js"), CONNECT);
    expect(await machine.run(process.execPath, ["connect.js"])).toMatchObject({ stdout: `${workspace.version}\n` });
  });

  it.each([
    ["nodenext", "nodenext"],
    ["bundler", "esnext"],
  ])("have types that pass the strict compiler with the module resolution %s", async (moduleResolution, module) => {
    writeFileSync(join(machine.project, "typed.ts"), typedProgram(entries));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      skipLibCheck: false,
      moduleResolution,
      module,
      target: "es2024",
    };
    writeFileSync(join(machine.project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
    const tsc = join(machine.project, "node_modules/.bin/tsc");
    expect(await machine.run(tsc, ["-p", "."])).toEqual({ status: 0, stdout: "", stderr: "" });
  });
});

describe("an upgrade", () => {
  const GATE = "while [ ! -e go ]; do sleep 0.1; done; echo survived > result.txt\n";

  it("reports what is available, and refuses an older version and other packages", async () => {
    const next = machine.repack("99.0.0");
    const check = await machine.gantry("upgrade", "--check", "--json", next);
    expect(JSON.parse(check.stdout)).toMatchObject({ available: "99.0.0", newer: true });
    const same = await machine.gantry("upgrade", machine.tarball(/^gantry-\d/));
    expect(same.stdout).toBe(`${workspace.version} is installed already.\n`);
    const older = await machine.gantry("upgrade", machine.repack("0.0.1"));
    expect(older).toMatchObject({ status: 2, stderr: expect.stringContaining("is older than") });
    const foreign = await machine.gantry("upgrade", machine.tarball(/^gantry-client-/));
    expect(foreign).toMatchObject({ status: 2, stderr: expect.stringContaining("@gantry/client and not gantry") });
  });

  it("keeps the old version and its daemon if the new one does not start", async () => {
    const { pid } = daemonFile();
    const broken = machine.repack("98.0.0", 'throw new Error("no start");');
    const { status, stderr } = await machine.gantry("upgrade", broken);
    expect(status).toBe(3);
    expect(stderr).toContain("Version 98.0.0 does not start");
    expect(stderr).toContain("The installed version stays, and a running daemon was not stopped.");
    expect((await machine.gantry("version")).stdout).toBe(`${workspace.version}\n`);
    expect(daemonFile().pid).toBe(pid);
    expect(readdirSync(join(machine.prefix, "lib/node_modules"))).toEqual(["gantry"]);
  });

  it(
    "installs the old version again and starts its daemon if the new daemon does not start",
    async () => {
      const broken = machine.repack("98.1.0", 'if (process.argv.includes("serve")) process.exit(1);');
      const { status, stderr } = await machine.gantry("upgrade", broken);
      expect(status).toBe(3);
      expect(stderr).toContain("The daemon of 98.1.0 did not start");
      expect(stderr).toContain(`${workspace.version} is installed again and its daemon runs.`);
      expect(stderr).not.toContain("    at ");
      expect((await machine.gantry("version")).stdout).toBe(`${workspace.version}\n`);
      expect(daemonFile()).toMatchObject({ version: workspace.version });
      expect((await machine.gantry("ls")).status).toBe(0);
      expect(readdirSync(join(machine.prefix, "lib/node_modules"))).toEqual(["gantry"]);
    },
    TIMEOUT_MS,
  );

  it(
    "replaces the version and the daemon while a turn runs, and the turn completes",
    async () => {
      writeFileSync(join(machine.project, "gate.sh"), GATE);
      const begun = await machine.gantry(
        "run",
        "-a",
        "scripted",
        "--mode",
        "full-auto",
        "--detach",
        "--json",
        "[[script:gate.sh]]",
      );
      const { id } = JSON.parse(begun.stdout) as { id: string };
      await eventually("the running turn", async () => {
        const { processes } = JSON.parse((await machine.gantry("ps", "--json")).stdout) as {
          processes: { session: string; state: string }[];
        };
        return processes.some(({ session, state }) => session === id && state === "busy") || undefined;
      });
      const before = daemonFile();
      const upgraded = await machine.gantry("upgrade", "--json", machine.repack("99.0.0"));
      expect(JSON.parse(upgraded.stdout || "{}"), upgraded.stderr).toEqual({
        upgraded: true,
        from: workspace.version,
        version: "99.0.0",
        daemon: "restarted",
      });
      expect(daemonFile()).toMatchObject({ version: "99.0.0" });
      expect(daemonFile().pid).not.toBe(before.pid);
      expect(readdirSync(join(machine.prefix, "lib/node_modules"))).toEqual(["gantry"]);
      // Processes of the previous version still load files from here.
      expect(existsSync(join(machine.package, `build-${workspace.version}`, "main.js"))).toBe(true);
      writeFileSync(join(machine.project, "go"), "");
      expect(await machine.gantry("wait", id)).toMatchObject({ status: 0 });
      expect(readFileSync(join(machine.project, "result.txt"), "utf8")).toBe("survived\n");
    },
    TIMEOUT_MS,
  );

  it(
    "installs the latest version of the registry, and reports a registry that does not answer",
    async () => {
      const { npm_config_registry: upstream = "" } = machine.env;
      const registry = await startFakeRegistry(upstream, machine.repack("99.0.5"));
      onTestFinished(() => {
        machine.env.npm_config_registry = upstream;
      });
      machine.env.npm_config_registry = registry.url;
      const check = await machine.gantry("upgrade", "--check");
      expect(check.stdout).toBe("99.0.5 is available; 99.0.0 is installed.\n");
      const upgraded = await machine.gantry("upgrade", "--json");
      expect(JSON.parse(upgraded.stdout || "{}"), upgraded.stderr).toMatchObject({ from: "99.0.0", version: "99.0.5" });
      await registry.close();
      machine.env.npm_config_registry = "http://127.0.0.1:9";
      const refused = await machine.gantry("upgrade");
      expect(refused).toMatchObject({ status: 3, stderr: expect.stringContaining("Nothing was changed.") });
      expect((await machine.gantry("version")).stdout).toBe("99.0.5\n");
    },
    TIMEOUT_MS,
  );
});

describe.skipIf(process.platform !== "linux")("the service", () => {
  const unit = join(machine.home, ".config/systemd/user/gantry.service");
  const status = async () => JSON.parse((await machine.gantry("service", "status", "--json")).stdout) as object;

  it("prints its unit and changes nothing", async () => {
    const { stdout, status } = await machine.gantry("service", "install", "--print");
    expect(status).toBe(0);
    expect(stdout).toContain(`ExecStart="${join(machine.prefix, "bin/gantry")}" serve\n`);
    expect(stdout).toContain("KillMode=process\n");
    expect(existsSync(unit)).toBe(false);
  });

  it("reports plainly that systemd does not serve the user", async () => {
    machine.addProgram("systemctl", 'echo "Failed to connect to bus: No medium found" >&2; exit 1');
    const { status, stderr } = await machine.gantry("service", "install");
    expect(status).toBe(3);
    expect(stderr).toContain("systemd cannot run a service for this user: Failed to connect to bus: No medium found");
    expect(stderr).not.toContain("    at ");
    expect(existsSync(unit)).toBe(false);
  });

  it(
    "runs the daemon, can be installed again, is restarted by an upgrade, and is removed",
    async () => {
      machine.addProgram("systemctl", FAKE_SYSTEMCTL);
      const installed = await machine.gantry("service", "install", "--json");
      expect(JSON.parse(installed.stdout || "{}"), installed.stderr).toMatchObject({ changed: true, running: true });
      expect(await status()).toMatchObject({ installed: true, enabled: true, pid: daemonFile().pid });
      const { pid } = daemonFile();
      const again = await machine.gantry("service", "install", "--json");
      expect(JSON.parse(again.stdout)).toMatchObject({ changed: false, pid });
      const upgraded = await machine.gantry("upgrade", "--json", machine.repack("99.1.0"));
      expect(JSON.parse(upgraded.stdout || "{}"), upgraded.stderr).toMatchObject({ version: "99.1.0" });
      expect(daemonFile().pid).not.toBe(pid);
      expect(await status()).toMatchObject({ running: true, pid: daemonFile().pid });
      expect((await machine.gantry("service", "uninstall")).status).toBe(0);
      expect(existsSync(unit)).toBe(false);
      expect((await machine.gantry("service", "uninstall")).stdout).toBe("The service is not installed.\n");
    },
    TIMEOUT_MS,
  );
});
