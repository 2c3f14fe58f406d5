import type { Problem } from "@gantry/protocol";
import type { Agent, Probe } from "../contract.ts";
import { agentEnvironment, type Environment } from "../finding/environment.ts";
import type { Installed } from "../finding/locate.ts";
import { makeProbeTools } from "./probe-tools.ts";

export type ProbeOutcome = { state: "ready" | "broken" | "unknown"; probe: Probe };

/**
 * Probes an installed agent. Never rejects and always finishes: a probe that fails or exceeds `deadlineMs` yields the
 * state `unknown` with a problem, and its processes are stopped.
 */
export async function probeAgent(
  agent: Agent,
  installed: Installed,
  env: Environment,
  deadlineMs: number,
): Promise<ProbeOutcome> {
  const own = { ...installed.env, ...agent.probeEnv };
  const tools = makeProbeTools(installed.command, agentEnvironment(env, own));
  const deadline = Promise.withResolvers<"late">();
  const timer = setTimeout(() => deadline.resolve("late"), deadlineMs);
  try {
    const probe = await Promise.race([agent.probe(tools), deadline.promise]);
    if (probe === "late") return failedProbe("probe_timeout", `${agent.name} did not respond in time.`, installed);
    return { state: probe.ok ? "ready" : "broken", probe: withProblems(agent, probe) };
  } catch (error) {
    return failedProbe("probe_failed", `Probing ${agent.name} failed: ${(error as Error).message}`, installed);
  } finally {
    clearTimeout(timer);
    await tools.close();
  }
}

/** The output of `--version`. Never rejects. */
export async function printedVersion(
  installed: Installed,
  env: Environment,
  timeoutMs: number,
): Promise<string | undefined> {
  const tools = makeProbeTools(installed.command, agentEnvironment(env, installed.env));
  const { stdout } = await tools.run(["--version"], { timeoutMs });
  await tools.close();
  return /(?<!\d)\d+\.\d+[\w.+-]*/.exec(stdout)?.[0];
}

function failedProbe(code: string, message: string, { command }: Installed): ProbeOutcome {
  const fix = `Run ${command.join(" ")} --version in a terminal to see its output, then refresh.`;
  const problems: Problem[] = [{ code, message, fix }];
  return { state: "unknown", probe: { ok: false, auth: { state: "unknown", how: "it did not respond" }, problems } };
}

/** Adds a problem with a fix where the probe reported only a state. */
function withProblems(agent: Agent, probe: Probe): Probe {
  const problems = [...probe.problems];
  if (!probe.ok && problems.length === 0) {
    const message = `The program at this path does not behave like ${agent.name}.`;
    problems.push({ code: "program_broken", message, fix: `Reinstall it: ${agent.install.command}` });
  }
  if (probe.auth.state === "missing" && !problems.some(({ code }) => code === "not_logged_in")) {
    const fix = agent.login.length > 0 ? `Run: ${agent.login.join(" ")}` : "Log in as described in its documentation.";
    problems.push({ code: "not_logged_in", message: `${agent.name} is not logged in: ${probe.auth.how}.`, fix });
  }
  return { ...probe, problems };
}
