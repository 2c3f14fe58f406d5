import type { Problem } from "@gantry/protocol";
import type { Agent, Probe } from "../contract.ts";
import { agentEnvironment, type Environment } from "./environment.ts";
import type { Installed } from "./locate.ts";
import { makeProbeTools } from "./probe-tools.ts";

export type ProbeOutcome = { state: "ready" | "broken" | "unknown"; probe: Probe };

/**
 * Asks an installed agent about itself. Never throws and always comes back: a probe that fails or takes longer than
 * `deadlineMs` leaves the state `unknown` and says so; what it started is stopped.
 */
export async function probeAgent(
  agent: Agent,
  installed: Installed,
  env: Environment,
  deadlineMs: number,
): Promise<ProbeOutcome> {
  const tools = makeProbeTools(installed.command, agentEnvironment(env, installed.env));
  const deadline = Promise.withResolvers<"late">();
  const timer = setTimeout(() => deadline.resolve("late"), deadlineMs);
  try {
    const probe = await Promise.race([agent.probe(tools), deadline.promise]);
    if (probe === "late") return unanswered("probe_timeout", `${agent.name} did not answer in time.`, installed);
    return { state: probe.ok ? "ready" : "broken", probe: withReason(agent, probe) };
  } catch (error) {
    return unanswered("probe_failed", `Asking ${agent.name} failed: ${(error as Error).message}`, installed);
  } finally {
    clearTimeout(timer);
    await tools.close();
  }
}

/** The version as `--version` prints it, quickly or not at all. Never throws. */
export async function quickVersion(installed: Installed, env: Environment): Promise<string | undefined> {
  const tools = makeProbeTools(installed.command, agentEnvironment(env, installed.env));
  const { stdout } = await tools.run(["--version"], { timeoutMs: 1500 });
  await tools.close();
  return /\d+\.\d+[\w.+-]*/.exec(stdout)?.[0];
}

function unanswered(code: string, message: string, { command }: Installed): ProbeOutcome {
  const fix = `Run ${command.join(" ")} --version in a terminal to see what it says, then refresh.`;
  const problems: Problem[] = [{ code, message, fix }];
  return { state: "unknown", probe: { ok: false, auth: { state: "unknown", how: "it did not answer" }, problems } };
}

/** Whatever is wrong has a problem with a fix, also where the probe left it at the state. */
function withReason(agent: Agent, probe: Probe): Probe {
  const problems = [...probe.problems];
  if (!probe.ok && problems.length === 0) {
    const message = `The program that was found does not behave as ${agent.name}.`;
    problems.push({ code: "program_broken", message, fix: `Install it again: ${agent.install.command}` });
  }
  if (probe.auth.state === "missing" && !problems.some(({ code }) => code === "not_logged_in")) {
    const fix = agent.login.length > 0 ? `Run: ${agent.login.join(" ")}` : "Log it in as its own documentation says.";
    problems.push({ code: "not_logged_in", message: `${agent.name} is not logged in: ${probe.auth.how}.`, fix });
  }
  return { ...probe, problems };
}
