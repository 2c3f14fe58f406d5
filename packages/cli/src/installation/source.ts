import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { environmentError, usageError } from "../program/errors.ts";
import { runNpm } from "./npm.ts";

/** Where a version comes from. `spec` is for npm, `label` for people. */
export type Source = { spec: string; label: string; isFile: boolean };

/** A tarball, a version or a tag of the registry; without a text, the latest version. Other specs of npm are refused. */
export function sourceOf(text: string | undefined): Source {
  if (text === undefined) return { spec: "gantry@latest", label: "the registry", isFile: false };
  if (/\.(tgz|tar\.gz)$/.test(text)) {
    const path = resolve(text);
    if (!existsSync(path)) throw usageError(`${path} does not exist. Nothing was changed.`);
    return { spec: path, label: path, isFile: true };
  }
  if (/^[\w.+-]+$/.test(text)) return { spec: `gantry@${text}`, label: "the registry", isFile: false };
  throw usageError(
    `${text} is neither a tarball nor a version. Nothing was changed.`,
    "Give the path of a .tgz file, a version such as 1.2.3, or nothing for the latest version.",
  );
}

type Place = { cwd: string; env: Record<string, string | undefined> };

/** By default npm repeats a failed request for over a minute before it reports the reason. */
const ASK_ONCE = ["--prefer-online", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"];

/** The version that a source has. Installs nothing. */
export async function versionOf({ spec, label, isFile }: Source, place: Place): Promise<string> {
  const args = isFile ? ["pack", spec, "--dry-run", "--json"] : ["view", spec, "version", "--json", ...ASK_ONCE];
  const { ok, stdout, problem } = await runNpm(args, place);
  if (!ok) {
    throw environmentError(
      "no_version",
      `npm could not find the version in ${label}: ${problem}. Nothing was changed.`,
      isFile ? "Check that the file is a tarball of Gantry." : "Check the network, or give the path of a tarball.",
    );
  }
  const answer = JSON.parse(stdout) as string | string[] | Record<string, { name: string; version: string }>;
  if (!isFile) return typeof answer === "string" ? answer : ((answer as string[]).at(-1) ?? "");
  const [packed] = Object.values(answer) as { name: string; version: string }[];
  if (packed?.name === "gantry") return packed.version;
  throw usageError(`${label} contains ${packed?.name ?? "no package"} and not gantry. Nothing was changed.`);
}
