import { tmpdir } from "node:os";
import { connectIfRunning } from "../../daemon/connect.ts";
import { startInBackground, waitUntilReady } from "../../daemon/start.ts";
import { stopDaemon } from "../../daemon/stop.ts";
import { findInstallation, type Installation } from "../../installation/find.ts";
import { type ServiceManager, serviceManager } from "../../installation/service-manager.ts";
import { type Source, sourceOf, versionOf } from "../../installation/source.ts";
import { stage, swapIn } from "../../installation/stage.ts";
import { compareVersions } from "../../installation/versions.ts";
import { refuseInAgentShell } from "../../program/agent-shell.ts";
import type { Context } from "../../program/context.ts";
import { CommandError, environmentError, usageError } from "../../program/errors.ts";
import { exitCodes } from "../../program/exit-codes.ts";

/** Prints the version of this command. As JSON also the Node that runs it and where it is installed. */
export async function printVersion(this: Context): Promise<void> {
  const { output, version } = this;
  if (!output.json) return output.print(version);
  const { kind, root } = findInstallation();
  output.data({ version, node: process.versions.node, installation: kind, folder: root });
}

/** Installs another version in the place of this one and restarts the daemon, if one runs. */
export async function upgrade(this: Context, flags: { check: boolean }, wanted?: string): Promise<void> {
  const { output, env } = this;
  const installation = findInstallation();
  const source = sourceOf(wanted);
  if (flags.check) return check(this, source, installation);
  refuseInAgentShell(env, "An agent cannot upgrade Gantry.");
  requireGlobal(installation);
  const available = await versionOf(source, { cwd: tmpdir(), env });
  const order = compareVersions(available, this.version);
  if (order === 0) {
    if (output.json) return output.data({ upgraded: false, version: this.version });
    return output.print(`${this.version} is installed already.`);
  }
  if (order < 0) {
    throw usageError(
      `${available} is older than ${this.version}, which may have changed the database. Nothing was changed.`,
      "Restore a backup first, then run npm install -g with the older version.",
    );
  }
  output.note(`Installing ${available} …`);
  const staged = await stage(installation.root, source, env);
  const start = await daemonStarter(this, installation.launcher);
  const swap = swapIn(installation.root, staged);
  let daemon: "restarted" | "none";
  try {
    daemon = await restartDaemon(this, start);
  } catch (error) {
    swap.undo();
    swap.finish();
    throw await restorePrevious(this.version, staged.version, start, error);
  }
  swap.finish();
  if (output.json) return output.data({ upgraded: true, from: this.version, version: staged.version, daemon });
  output.print(
    `Upgraded from ${this.version} to ${staged.version}. ${
      daemon === "none" ? "No daemon was running." : "The daemon was restarted; running turns continue."
    }`,
  );
}

async function check({ output, env, version }: Context, source: Source, { kind }: Installation): Promise<void> {
  const available = await versionOf(source, { cwd: tmpdir(), env });
  const isNewer = compareVersions(available, version) > 0;
  if (output.json) return output.data({ installation: kind, version, available, newer: isNewer });
  output.print(isNewer ? `${available} is available; ${version} is installed.` : `${version} is up to date.`);
}

function requireGlobal(installation: Installation): asserts installation is Extract<Installation, { kind: "global" }> {
  const { kind, root } = installation;
  if (kind === "clone") {
    throw environmentError(
      "clone",
      `This Gantry runs from the clone ${root}. Nothing was changed.`,
      "Run `git pull` there, then `./gantry stop` and any command: it builds, and starts the new daemon. Running turns continue.",
    );
  }
  if (kind === "other") {
    throw environmentError(
      "not_global",
      `${root} was not installed with npm install -g. Nothing was changed.`,
      "Upgrade it with the program that installed it, then run `gantry stop` and any command. Running turns continue.",
    );
  }
}

/** Stops the daemon, if one runs, and starts the installed version. */
async function restartDaemon(context: Context, start: () => Promise<unknown>): Promise<"restarted" | "none"> {
  const found = await connectIfRunning(context);
  if (!found) return "none";
  await stopDaemon(context.home, found, "keep");
  await start();
  return "restarted";
}

/** How the daemon is started: through the service if it runs it now, else in the background. */
async function daemonStarter(context: Context, launcher: string): Promise<() => Promise<unknown>> {
  const { home, env, output } = context;
  const manager = managerOf(env);
  const pid = manager?.state().pid;
  if (!manager || pid === undefined || (await connectIfRunning(context))?.daemon.pid !== pid)
    return () => startInBackground(home, env, (text) => output.note(text), [launcher]);
  return async () => {
    manager.start();
    await waitUntilReady(home, manager.advice);
  };
}

function managerOf(env: Context["env"]): ServiceManager | undefined {
  try {
    return serviceManager(process.platform, env);
  } catch {
    return undefined;
  }
}

/** After a failed restart: starts the daemon of the previous version, and describes what happened. */
async function restorePrevious(
  installed: string,
  version: string,
  start: () => Promise<unknown>,
  error: unknown,
): Promise<CommandError> {
  const reason = error instanceof Error ? error.message : String(error);
  const isBack = await start().then(
    () => true,
    () => false,
  );
  const preserved = isBack
    ? `${installed} is installed again and its daemon runs. Sessions and agents were not changed.`
    : `${installed} is installed again, but its daemon does not start. Sessions and agents were not changed.`;
  return new CommandError(exitCodes.environment, "not_restarted", `The daemon of ${version} did not start: ${reason}`, {
    preserved,
    remedy: isBack ? "Report the problem." : "Run `gantry serve` to see why.",
  });
}
