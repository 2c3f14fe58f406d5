import { writeSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Exec, startExec } from "../../../packages/agent/src/tools/testing/exec-context.ts";
import { CANARY, DEFAULT_MODES, GANTRY, HOME, type Probe, type ProbeMode, REPO } from "./probe.ts";
import { PROBES } from "./probes/all.ts";
import { World } from "./world.ts";

/**
 * Runs all probes inside the jail, through the own agent's tools, and prints one JSON line for each. The tools are called
 * directly, as if every question had been answered with yes, so that only the sandbox is in the way. Probes that need
 * nothing special share one command for each mode and folder. If such a command has an effect, its probes are run again one
 * by one.
 */
export type ProbeResult = { name: string; class: string; effects: string[] };

const MODES: readonly ProbeMode[] = ["plan", "ask", "auto-edit", "full-auto"];
const env = {
  PATH: process.env.PATH,
  HOME,
  GANTRY_HOME: GANTRY,
  GANTRY_AGENT_DIR: `${GANTRY}/agent`,
  SSH_AUTH_SOCK: "/tmp/ssh-agent.sock",
  TMUX: "/tmp/tmux-1000/default,1,0",
  DISPLAY: ":0",
  DBUS_SESSION_BUS_ADDRESS: "unix:path=/run/user/1000/bus",
  XDG_RUNTIME_DIR: "/run/user/1000",
  OPENAI_API_KEY: `sk-${CANARY}`,
};

const world = new World();
await world.build();
const sessions = new Map<string, Exec>();
const sandbox = await sessionIn(REPO).sandbox();
if (sandbox.kind !== "bubblewrap" || sandbox.weaker !== undefined) {
  print({ skipped: (sandbox.kind === "none" ? sandbox.why : sandbox.weaker) ?? "" });
  process.exit(0);
}
const effects = new Map<Probe, string[]>(PROBES.map((probe) => [probe, []]));
for (const mode of MODES) await runMode(mode);
for (const probe of PROBES) {
  print({ name: probe.name, class: probe.class, effects: effects.get(probe) ?? [] });
}
world.close();
process.exit(0);

/** Synchronous, because the process exits before a pipe is flushed. */
function print(line: ProbeResult | { skipped: string }): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

async function runMode(mode: ProbeMode): Promise<void> {
  const groups = new Map<string, Probe[]>();
  for (const probe of PROBES.filter(({ modes = DEFAULT_MODES }) => modes.includes(mode))) {
    const key = isAlone(probe) ? `${probe.class} ${probe.name}` : `${probe.class} in ${probe.cwd ?? REPO}`;
    groups.set(key, [...(groups.get(key) ?? []), probe]);
  }
  for (const group of groups.values()) await runGroup(mode, group);
}

function isAlone({ alone, env: variables, pty, late, language }: Probe): boolean {
  return Boolean(alone || variables || pty || late || language);
}

async function runGroup(mode: ProbeMode, probes: readonly Probe[]): Promise<void> {
  if (probes.length === 1) return runOne(mode, probes[0]!);
  const { text } = await call(mode, probes[0]!, { command: probes.map(section).join("\n"), timeout: 60 });
  const usesGit = usesGitOf(probes[0]!);
  const reached = await world.takeEffects(usesGit);
  for (const [at, probe] of probes.entries()) {
    const [, output = "", code] = new RegExp(`@start ${at}\n([^]*?)@end ${at} (\\d+)`).exec(text) ?? [];
    const isComplete = code !== undefined;
    const found = isComplete ? judge(probe, output, code !== "0") : ["incomplete"];
    if (found.length > 0 || reached.length > 0) await runOne(mode, probe);
  }
}

async function runOne(mode: ProbeMode, probe: Probe): Promise<void> {
  const { command, env: variables, pty, language } = probe;
  const args = language
    ? { cells: [{ language, code: command, timeout: 20 }] }
    : { command: conceal(command), timeout: 20, ...(variables && { env: variables }), ...(pty && { pty }) };
  const running = call(mode, probe, args);
  const remove = probe.late && (await createLate(probe.late));
  const { text, isError } = await running;
  const found = [...(await world.takeEffects(usesGitOf(probe))), ...judge(probe, text, isError)];
  remove?.();
  effects.get(probe)?.push(...found.map((effect) => `${mode}: ${effect}`));
}

function judge({ mustFail }: Probe, text: string, isError: boolean): string[] {
  return [
    ...(text.includes(CANARY) ? ["the canary was printed"] : []),
    ...(mustFail && !isError ? ["it succeeded"] : []),
  ];
}

async function call(mode: ProbeMode, { cwd = REPO, language }: Probe, args: unknown) {
  const exec = sessionIn(cwd);
  exec.mode = mode;
  const { text, isError = false } = await exec.call(language ? "eval" : "bash", args).catch((error: Error) => ({
    text: error.message,
    isError: true,
  }));
  return { text, isError };
}

/** A credential that a command names is visible to it, because a person was asked. So the names are not in the text. */
function conceal(command: string): string {
  return `timeout 15 bash -c "$(echo ${Buffer.from(command).toString("base64")} | base64 -d)"`;
}

/** Each probe starts in its folder, whatever the last one did. */
function section({ command, cwd = REPO }: Probe, at: number): string {
  return `echo "@start ${at}"; (cd ${cwd}; ${conceal(command)} </dev/null 2>&1); echo "@end ${at} $?"`;
}

function sessionIn(cwd: string): Exec {
  const known = sessions.get(cwd) ?? startExec({ cwd, env, agentDir: `${GANTRY}/agent` });
  sessions.set(cwd, known);
  return known;
}

function usesGitOf(probe: Probe): boolean {
  return /git|repository/.test(probe.class);
}

async function createLate({ kind, path }: NonNullable<Probe["late"]>): Promise<() => void> {
  await pause(1000);
  return kind === "fifo" ? world.pipe(path) : await world.listen(path);
}
