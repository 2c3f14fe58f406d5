import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { environmentError } from "../program/errors.ts";
import { LAUNCHD_LABEL, launchdPlist, type ServicePlan, systemdUnit } from "./service-unit.ts";

export type ServiceState = { enabled: boolean; running: boolean; pid?: number };

/** The program that starts the daemon when the user logs in. Commands run for the current user only. */
export type ServiceManager = {
  name: "systemd" | "launchd";
  /** The file that describes the service. */
  file: string;
  text(plan: ServicePlan): string;
  /** Throws `no_service_manager` if the program is missing or does not serve this user. */
  check(): void;
  /** Registers the file and starts the service, again if it runs. Does not wait for the daemon. */
  start(): void;
  /** How a person finds out why the service does not run. */
  advice: string;
  /** Stops the service and removes its registration. */
  remove(): void;
  state(): ServiceState;
};

const UNIT = "gantry.service";
const LIMIT_MS = 60_000;
const BOOTSTRAP_TRIES = 20;
const BOOTSTRAP_PAUSE_MS = 250;

/** The manager of this system. Throws on systems without a known one. */
export function serviceManager(platform: NodeJS.Platform, env: Record<string, string | undefined>): ServiceManager {
  const user = env.HOME ?? homedir();
  if (platform === "linux") return systemd(join(env.XDG_CONFIG_HOME || join(user, ".config"), "systemd/user", UNIT));
  if (platform === "darwin") return launchd(join(user, "Library/LaunchAgents", `${LAUNCHD_LABEL}.plist`));
  throw environmentError(
    "no_service_manager",
    `Gantry has no service for ${platform}: it knows systemd on Linux and launchd on macOS. Nothing was changed.`,
    "Let the supervisor of your system run `gantry serve`; it must not end the processes that the daemon has started.",
  );
}

/** Writes the file of the service if it differs. Only the user may read it. Returns whether it was written. */
export function writeServiceFile(file: string, text: string): boolean {
  if (existsSync(file) && readFileSync(file, "utf8") === text) return false;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text, { mode: 0o600 });
  return true;
}

function systemd(file: string): ServiceManager {
  const systemctl = (...args: string[]) => execute("systemctl", ["--user", ...args]);
  return {
    name: "systemd",
    file,
    text: systemdUnit,
    advice: "`journalctl --user --unit gantry` shows its output.",
    check: () => void requireSuccess("systemd", systemctl("show", "--property=Version")),
    start() {
      requireSuccess("systemd", systemctl("daemon-reload"));
      requireSuccess("systemd", systemctl("enable", UNIT));
      requireSuccess("systemd", systemctl("restart", UNIT));
    },
    remove() {
      requireSuccess("systemd", systemctl("disable", "--now", UNIT));
      rmSync(file, { force: true });
      requireSuccess("systemd", systemctl("daemon-reload"));
    },
    state() {
      const { stdout } = systemctl("show", UNIT, "--property=ActiveState,MainPID,UnitFileState");
      const facts = new Map(stdout.split("\n").map((line) => line.split("=", 2) as [string, string]));
      return stateOf(facts.get("ActiveState") === "active", facts.get("MainPID"), facts.get("UnitFileState"));
    },
  };
}

function launchd(file: string): ServiceManager {
  const domain = `gui/${process.getuid?.() ?? 0}`;
  const launchctl = (...args: string[]) => execute("launchctl", args);
  return {
    name: "launchd",
    file,
    text: launchdPlist,
    advice: "logs/daemon.log in Gantry's home folder has its output.",
    check: () => void requireSuccess("launchd", launchctl("print", domain)),
    start() {
      // Fails if the service is not loaded. It returns before the service is gone, and until then a bootstrap fails.
      launchctl("bootout", `${domain}/${LAUNCHD_LABEL}`);
      let loaded = launchctl("bootstrap", domain, file);
      for (let tries = 0; loaded.status !== 0 && tries < BOOTSTRAP_TRIES; tries += 1) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BOOTSTRAP_PAUSE_MS);
        loaded = launchctl("bootstrap", domain, file);
      }
      requireSuccess("launchd", loaded);
    },
    remove() {
      launchctl("bootout", `${domain}/${LAUNCHD_LABEL}`);
      rmSync(file, { force: true });
    },
    state() {
      const { status, stdout } = launchctl("print", `${domain}/${LAUNCHD_LABEL}`);
      const pid = /^\s*pid = (\d+)/m.exec(stdout)?.[1];
      return stateOf(pid !== undefined, pid, status === 0 ? "enabled" : "disabled");
    },
  };
}

function stateOf(running: boolean, pid: string | undefined, enabled: string | undefined): ServiceState {
  return { enabled: enabled === "enabled", running, ...(running && Number(pid) > 0 ? { pid: Number(pid) } : {}) };
}

type Executed = { status: number; stdout: string; stderr: string };

function execute(program: string, args: string[]): Executed {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8", timeout: LIMIT_MS });
  return { status: status ?? 1, stdout: stdout ?? "", stderr: error ? error.message : (stderr ?? "") };
}

function requireSuccess(name: ServiceManager["name"], { status, stderr }: Executed): void {
  if (status === 0) return;
  const [reason = ""] = stderr.trim().split("\n");
  throw environmentError(
    "no_service_manager",
    `${name} cannot run a service for this user${reason ? `: ${reason}` : "."}`,
    "Log in to a session of the system, or let another supervisor run `gantry serve`. `gantry service install --print` shows the service.",
  );
}
