import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { arch, homedir, hostname, platform, release, tmpdir, userInfo } from "node:os";
import { basename, join, resolve } from "node:path";
import type { Client } from "@gantry/client";
import type { AgentRow, Session } from "@gantry/protocol";
import { Redactor } from "@gantry/runtime";
import type { Context } from "../../program/context.ts";
import { environmentError } from "../../program/errors.ts";
import type { Check } from "./environment.ts";

/** The end of each log that is included. */
const LOG_BYTES = 1024 * 1024;
const SESSIONS = 50;

export type Report = { checks: readonly Check[]; agents: readonly AgentRow[] };

/**
 * Writes an archive for a bug report and returns its path and the names of its files. It has figures, versions and logs, and
 * no message, title, prompt, file content or setting with a text. Texts that remain are redacted.
 */
export async function writeBundle(
  context: Context,
  client: Client,
  report: Report,
  target?: string,
): Promise<{ path: string; files: string[] }> {
  const { home, env, version } = context;
  const stamp = new Date().toISOString().slice(0, 19).replace(/[:T]/g, "-");
  const path = resolve(target ?? `gantry-bundle-${stamp}.tar.gz`);
  if (existsSync(path)) throw environmentError("exists", `${path} exists. Nothing was written.`, "Give another name.");
  const redactor = createRedactor(home, env);
  const texts: Record<string, string> = {
    "about.json": toJson(describeMachine(version, env)),
    "doctor.json": toJson(report),
    "settings.json": toJson(await describeSettings(client)),
    "sessions.json": toJson((await client.sessions.list({ limit: SESSIONS })).sessions.map(describeSession)),
    "home.json": toJson(describeHome(home)),
    "metrics.txt": await client.metrics(),
    ...readLogs(home),
  };
  const folder = mkdtempSync(join(tmpdir(), "gantry-bundle-"));
  const name = basename(path).replace(/\.tar\.gz$|\.tgz$/, "");
  try {
    mkdirSync(join(folder, name));
    for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, name, file), redactor.text(text));
    const { status, stderr, error } = spawnSync("tar", ["-czf", path, "-C", folder, name], { encoding: "utf8" });
    if (status !== 0) {
      const reason = error?.message ?? stderr.trim();
      throw environmentError("no_archive", `tar could not write ${path}: ${reason}`, "Give another folder with --out.");
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return { path, files: Object.keys(texts) };
}

function createRedactor(home: string, env: Context["env"]): Redactor {
  const token = readText(join(home, "token")).trim();
  const values = Object.entries(env).flatMap(([name, value]) =>
    /key|token|secret|password|credential/i.test(name) && value ? [value] : [],
  );
  const { username } = userInfo();
  const paths = [
    { path: home, as: "$GANTRY_HOME" },
    { path: env.HOME || homedir(), as: "~" },
    { path: hostname(), as: "<host>" },
    { path: username.length > 2 && username !== "root" ? username : "", as: "<user>" },
  ];
  return new Redactor({ paths, values: [token, ...values].filter((value) => value.length >= 8) });
}

function describeMachine(version: string, env: Context["env"]) {
  const names = Object.keys(env).filter((name) => /^(GANTRY_|NODE_|HTTPS?_PROXY$|NO_PROXY$)/i.test(name));
  return {
    version,
    node: process.versions.node,
    system: `${platform()} ${release()} ${arch()}`,
    language: env.LANG ?? "",
    /** Names only: values may be secret. */
    variables: names.sort(),
  };
}

/** Settings that differ from their defaults. Texts and lists may name hosts or folders, so only their length is given. */
async function describeSettings(client: Client) {
  const { settings, problems } = await client.settings.get();
  const changed = settings.filter(({ value }) => value !== undefined);
  const shown = changed.map(({ key, type, value }) => {
    const isOpen = type === "number" || type === "switch" || type === "choice";
    return [key, isOpen ? value : `<${type}, length ${String((value as { length?: number }).length ?? 0)}>`];
  });
  return { changed: Object.fromEntries(shown), problems: problems.length };
}

function describeSession(session: Session) {
  const { id, agent, model, mode, modeApplied, effort, state, lastSeq, createdAt, updatedAt } = session;
  const { lastTurn, inputs, queue } = session;
  return {
    ...{ id, agent, model, mode, modeApplied, effort, state, lastSeq, createdAt, updatedAt },
    lastTurn: lastTurn && {
      outcome: lastTurn.outcome,
      failure: (lastTurn.error as { category?: string } | undefined)?.category,
    },
    pending: inputs.map(({ kind }) => kind),
    queued: queue.length,
  };
}

function describeHome(home: string) {
  return readdirSync(home).map((name) => {
    const path = join(home, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    const entries = stat?.isDirectory() ? { entries: readdirSync(path).length } : { bytes: stat?.size };
    return { name, mode: stat && (stat.mode & 0o777).toString(8), ...entries };
  });
}

function readLogs(home: string): Record<string, string> {
  const names = ["daemon.1.log", "daemon.log"].filter((name) => existsSync(join(home, "logs", name)));
  return Object.fromEntries(names.map((name) => [name, readText(join(home, "logs", name)).slice(-LOG_BYTES)]));
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
