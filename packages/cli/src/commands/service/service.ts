import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { homePath, renderFacts } from "@gantry/terminal";
import { connectIfRunning } from "../../daemon/connect.ts";
import { waitUntilReady } from "../../daemon/start.ts";
import { stopDaemon } from "../../daemon/stop.ts";
import { findInstallation } from "../../installation/find.ts";
import { type ServiceManager, serviceManager, writeServiceFile } from "../../installation/service-manager.ts";
import { environmentFile, type ServicePlan } from "../../installation/service-unit.ts";
import { refuseInAgentShell } from "../../program/agent-shell.ts";
import type { Context } from "../../program/context.ts";
import { exitCodes } from "../../program/exit-codes.ts";

const REFUSAL = "An agent cannot change the service.";

/** Writes the service and starts it. A second call changes nothing, unless the installation or PATH has changed. */
export async function install(this: Context, flags: { print: boolean }): Promise<void> {
  const { output } = this;
  const manager = serviceManager(process.platform, this.env);
  const text = manager.text(planOf(this));
  if (flags.print) {
    if (output.json) return output.data({ manager: manager.name, file: manager.file, text });
    return output.print(text.trimEnd());
  }
  refuseInAgentShell(this.env, REFUSAL);
  manager.check();
  const changed = writeServiceFile(manager.file, text);
  if (changed || !manager.state().running) {
    await stopOther(this);
    manager.start();
    await waitUntilReady(this.home, manager.advice);
  }
  if (output.json) return output.data({ changed, ...describe(manager) });
  output.print([
    changed ? `Installed ${homePath(manager.file)}.` : `${homePath(manager.file)} was already installed.`,
    `The daemon runs whenever you are logged in. Variables for agents: ${homePath(environmentFile(this.home))}.`,
  ]);
}

/** Stops the service and removes its file. Agents keep running. */
export async function uninstall(this: Context): Promise<void> {
  const { output } = this;
  refuseInAgentShell(this.env, REFUSAL);
  const manager = serviceManager(process.platform, this.env);
  if (!existsSync(manager.file)) {
    if (output.json) return output.data({ removed: false, file: manager.file });
    return output.print("The service is not installed.");
  }
  manager.check();
  manager.remove();
  if (output.json) return output.data({ removed: true, file: manager.file });
  output.print(`Removed ${homePath(manager.file)}. Sessions stay, and agents keep running.`);
}

/** Never starts anything. */
export async function status(this: Context): Promise<void> {
  const { output } = this;
  const facts = describe(serviceManager(process.platform, this.env));
  if (!facts.installed || !facts.running) this.process.exitCode = exitCodes.environment;
  if (output.json) return output.data(facts);
  if (!facts.installed) return output.print("The service is not installed: gantry service install");
  const running = facts.running ? `${output.paint.green("● running")}, pid ${facts.pid}` : "stopped";
  const pairs: [string, string][] = [
    ["service", running],
    ["at login", facts.enabled ? "starts" : "does not start"],
    ["file", `${homePath(facts.file)} (${facts.manager})`],
  ];
  output.print(renderFacts(pairs, output.paint.dim));
}

function describe(manager: ServiceManager) {
  const installed = existsSync(manager.file);
  const state = installed ? manager.state() : { enabled: false, running: false };
  return { manager: manager.name, installed, file: manager.file, pid: undefined, ...state };
}

/** A daemon that runs in the background holds the home folder, so the service could not start. */
async function stopOther(context: Context): Promise<void> {
  const found = await connectIfRunning(context);
  if (found) await stopDaemon(context.home, found, "keep");
}

/** Services start with a short PATH, so the one of this shell is written down: agents are found with it. */
function planOf({ home, env }: Context): ServicePlan {
  const folders = [dirname(process.execPath), ...(env.PATH ?? "").split(delimiter)].filter((each) =>
    each.startsWith("/"),
  );
  const isDefault = home === join(env.HOME ?? homedir(), ".gantry");
  const { launcher } = findInstallation();
  return { launcher, home, path: [...new Set(folders)].join(delimiter), hasOwnHome: !isDefault };
}
