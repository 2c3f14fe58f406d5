// Runs a TypeScript entry of this repository: `node scripts/bootstrap.mjs <entry.ts> [arguments]`.
// Works on any Node from 18 on. It makes sure of these things first, and is quick when they are there:
// Node 24 (taken from the npm package `node` into .node/ when the running one is older), the packages
// of the lock file, and, for the command line, its bundle in dist/, which starts in half the time and
// with a quarter less memory than its sources. It downloads from the package registry and from nowhere else.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE_VERSION = "24.21.0";
const CLI = "packages/cli/src/main.ts";
const BUNDLE = "dist/gantry/main.js";
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const nodeHome = join(root, ".node");
const nodeLink = join(nodeHome, "bin", "node");
const stamp = join(root, "node_modules", ".gantry-stamp");
const quiet = process.env.GANTRY_BOOTSTRAP_QUIET === "1";

const [entry, ...rest] = process.argv.slice(2);
if (!entry) fail("usage: node scripts/bootstrap.mjs <entry.ts> [arguments]", 2);
const node = ensureNode();
ensurePackages(node);
if (entry === CLI) page(node);
run(node, entry === CLI ? bundle(node) : entry, rest);

function ensureNode() {
  if (Number(process.versions.node.split(".")[0]) >= 24) return remember(process.execPath);
  if (works(nodeLink)) return nodeLink;
  say(
    `Node ${process.versions.node} is too old; fetching Node ${NODE_VERSION} from npm into .node/ (once, about 120 MB) …`,
  );
  npm(["install", "--prefix", nodeHome, "--no-save", `node@${NODE_VERSION}`]);
  const platform = process.platform === "win32" ? "win" : process.platform;
  const inner = `node-${platform}-${process.arch}`;
  const candidates = [
    join(nodeHome, "node_modules", "node", "node_modules", inner, "bin", "node"),
    join(nodeHome, "node_modules", inner, "bin", "node"),
  ];
  // An npm that does not run install scripts leaves the platform package out: ask for it by name.
  if (!candidates.some(works)) npm(["install", "--prefix", nodeHome, "--no-save", `${inner}@${NODE_VERSION}`]);
  const found = candidates.find(works);
  if (!found)
    fail(
      `Node ${NODE_VERSION} could not be installed for ${process.platform}-${process.arch}. Install Node 24 or newer and try again.`,
      3,
    );
  return remember(found);
}

/** Leaves a link that `./gantry` starts directly the next time. */
function remember(path) {
  mkdirSync(dirname(nodeLink), { recursive: true });
  if (!works(nodeLink)) {
    if (lstatSync(nodeLink, { throwIfNoEntry: false })) rmSync(nodeLink);
    symlinkSync(path, nodeLink);
  }
  return path;
}

function works(path) {
  if (!existsSync(path)) return false;
  const answer = spawnSync(path, ["--version"], { encoding: "utf8" });
  return answer.status === 0 && Number(answer.stdout.slice(1).split(".")[0]) >= 24;
}

function ensurePackages(node) {
  const lock = statSync(join(root, "package-lock.json"), { throwIfNoEntry: false });
  const done = statSync(stamp, { throwIfNoEntry: false });
  if (done && (!lock || done.mtimeMs >= lock.mtimeMs)) return;
  say("Installing packages …");
  npm([lock ? "ci" : "install", "--ignore-scripts", "--prefix", root], dirname(node));
  writeFileSync(stamp, "");
}

/** The bundle, made anew when a source is newer. A machine that cannot bundle runs the sources. */
function bundle(node) {
  const packages = ["protocol", "models", "scripted", "terminal", "agent", "client", "runtime", "cli"];
  if (isFresh(".stamp", packages)) return BUNDLE;
  const trouble = make(node, "build/bundle.ts");
  if (!trouble) return BUNDLE;
  say(`Could not bundle, running from source: ${trouble}`);
  return CLI;
}

/** The page that the daemon serves, made anew when a source of it is newer. Without it there is a small built-in one. */
function page(node) {
  if (isFresh(".page-stamp", ["protocol", "client", "web"])) return;
  say("Building the page …");
  const trouble = make(node, "build/page.ts");
  if (trouble) say(`Could not build the page, a small one takes its place: ${trouble}`);
}

function isFresh(stamp, packages) {
  const made = statSync(join(root, "dist", stamp), { throwIfNoEntry: false });
  return made && !packages.some((name) => newer(join(root, "packages", name), made.mtimeMs));
}

/** Runs a build script. Returns the first line of what went wrong. */
function make(node, script) {
  const args = ["--disable-warning=ExperimentalWarning", join(root, "scripts", script)];
  const done = spawnSync(node, args, { encoding: "utf8" });
  return done.status === 0 ? undefined : (done.stderr || done.stdout).trim().split("\n")[0];
}

function newer(folder, than) {
  return readdirSync(folder, { withFileTypes: true }).some((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return !["node_modules", "fixtures"].includes(entry.name) && newer(path, than);
    return (
      /\.(tsx?|css|html|js|json|svg)$/.test(entry.name) &&
      !entry.name.includes(".test.") &&
      statSync(path).mtimeMs > than
    );
  });
}

function npm(args, binFolder) {
  const env = {
    ...process.env,
    npm_config_fund: "false",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
  };
  // npm chooses versions by the Node it runs under, so it is run under the one that the project uses.
  if (binFolder) env.PATH = `${binFolder}:${env.PATH}`;
  const done = spawnSync("npm", args, { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  if (done.error) fail("npm was not found. Install Node.js with npm and try again.", 3);
  if (done.status !== 0)
    fail(`npm ${args[0]} failed:\n${(done.stderr || done.stdout).trim().split("\n").slice(-15).join("\n")}`, 3);
}

function run(node, entry, rest) {
  const env = { ...process.env, PATH: `${dirname(nodeLink)}:${process.env.PATH}` };
  // A daemon's garbage is short-lived; without the limit its memory grows with the machine's and is never given back.
  const flags = ["--disable-warning=ExperimentalWarning", ...(entry === BUNDLE ? ["--max-semi-space-size=4"] : [])];
  const child = spawn(node, [...flags, join(root, entry), ...rest], {
    stdio: "inherit",
    env,
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("error", (error) => fail(`Could not start ${node}: ${error.message}`, 3));
  child.on("exit", (code, signal) =>
    process.exit(code ?? (signal === "SIGINT" ? 130 : signal === "SIGTERM" ? 143 : 1)),
  );
}

function say(text) {
  if (!quiet) process.stderr.write(`gantry: ${text}\n`);
}

function fail(text, code) {
  process.stderr.write(`gantry: ${text}\n`);
  process.exit(code);
}
