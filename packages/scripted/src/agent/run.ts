import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { readLines } from "../lines.ts";
import { Faults } from "./faults.ts";
import type { Dialect, Host, Receiver } from "./host.ts";
import { FrameOutput } from "./output.ts";
import { modelSteps } from "./script/model-script.ts";
import { stepsFor } from "./script/script.ts";

/**
 * Runs an agent that speaks one of `dialects` on stdin and stdout until its input ends. Arguments:
 * `[--dialect name] [--fault name[:argument]]… [--pace ms] [--script agent|model] [-- arguments for the dialect]`.
 * The first dialect is the default. Throws for an unknown dialect or fault.
 */
export async function runAgent(dialects: Readonly<Record<string, Dialect>>, argv: string[]): Promise<void> {
  const own = readOwnArguments(argv);
  const known = Object.keys(dialects);
  const name = own.dialect ?? known[0] ?? "";
  const dialect = dialects[name];
  if (!dialect) throw new Error(`Unknown dialect ${name}: ${known.join(", ")}`);
  const oneShot = dialect.oneShot(own.vendor, own.faults);
  if (oneShot) {
    process.stderr.write(oneShot.stderr ?? "");
    process.stdout.write(oneShot.stdout, () => process.exit(oneShot.code));
    return;
  }
  const host = makeHost(own);
  await misbehaveAtStart(host);
  listen(host, dialect.start(host));
}

/** Arguments after `--` are for the dialect. */
function readOwnArguments(argv: string[]) {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const values = (flag: string) => own.flatMap((argument, index) => (own[index - 1] === flag ? [argument] : []));
  return {
    dialect: values("--dialect")[0],
    faults: Faults.parse(values("--fault")),
    pace: Number(values("--pace")[0] ?? 10),
    script: values("--script")[0] ?? "agent",
    vendor: end < 0 ? own : argv.slice(end + 1),
  };
}

function makeHost({ vendor: argv, faults, pace, script }: ReturnType<typeof readOwnArguments>): Host {
  const output = new FrameOutput(process.stdout, faults);
  return {
    argv,
    env: process.env,
    cwd: process.cwd(),
    faults,
    pace,
    stepsFor: script === "model" ? modelSteps : stepsFor,
    output,
    stderr: (text) => void process.stderr.write(text),
    closeInput: () => void process.stdin.destroy(),
    async exit(code) {
      await output.flush();
      await new Promise<void>((resolve) => process.stderr.write("", () => resolve()));
      process.exit(code);
    },
    async crash() {
      await output.flush();
      process.kill(process.pid, "SIGSEGV");
      return new Promise<never>(() => {});
    },
  };
}

async function misbehaveAtStart(host: Host): Promise<void> {
  const { faults } = host;
  if (faults.has("exit-at-once")) {
    host.stderr("fatal: the fake agent refuses to start\n");
    await host.exit(faults.number("exit-at-once", 1));
  }
  if (faults.has("ignore-sigterm")) process.on("SIGTERM", () => {});
  if (faults.has("grandchild")) leaveGrandchild(host, false);
  if (faults.has("grandchild-setsid")) leaveGrandchild(host, true);
  if (faults.has("slow-start")) await sleep(faults.number("slow-start", 3000));
}

function leaveGrandchild(host: Host, detached: boolean): void {
  const child = spawn("sleep", ["3600"], { stdio: "ignore", detached });
  child.unref();
  host.stderr(`grandchild pid=${child.pid}\n`);
}

function listen(host: Host, receiver: Receiver): void {
  const { faults } = host;
  // Keeps the process alive for faults that outlive the input.
  const outlives = faults.has("closes-stdin") || faults.has("ignore-sigterm");
  if (outlives) setInterval(() => {}, 60_000);
  readLines(
    process.stdin,
    (line) => {
      if (!faults.has("never-ready")) receiver.line(line);
    },
    () => {
      if (!outlives) receiver.end();
    },
  );
}
