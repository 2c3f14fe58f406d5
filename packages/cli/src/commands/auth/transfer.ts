import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  agentFolder,
  brokerAddress,
  type ImportedCredential,
  localCredentials,
  openLocalStore,
  readCredentials,
  uploadToBroker,
} from "@gantry/models";
import { pluralize } from "@gantry/terminal";
import type { Context } from "../../program/context.ts";
import { environmentError, usageError } from "../../program/errors.ts";
import { checkLocal } from "./auth.ts";

type Flags = { dryRun: boolean };

/** Imports credentials of other programs from a file, or from all JSON files of a folder. */
export async function importCredentials(this: Context, { dryRun }: Flags, path: string): Promise<void> {
  const { output, env } = this;
  checkLocal(env);
  const files = filesAt(path);
  const read = files.map((file) => ({ file, found: readCredentials(readFileSync(file, "utf8")) }));
  const skipped = read.filter(({ found }) => found === undefined).map(({ file }) => file);
  const all = read.flatMap(({ found }) => found ?? []);
  if (all.length === 0)
    throw usageError(`${path} contains no credentials in a supported format.`, "See docs/user/credentials.md.");
  const store = openLocalStore(env);
  try {
    if (!dryRun) for (const { provider, data } of all) await store.put(provider, data);
  } finally {
    store.close();
  }
  printImported(this, all, dryRun ? "would be stored" : "stored");
  if (!output.json) for (const file of skipped) output.note(`${file} contains no credentials.`);
}

/** Uploads the credentials of this machine to its broker. */
export async function migrate(this: Context, { dryRun }: Flags): Promise<void> {
  const { env } = this;
  const address = brokerAddress(env, agentFolder(env));
  if (!address)
    throw usageError("No broker is configured.", "Set GANTRY_AUTH_BROKER_URL and GANTRY_AUTH_BROKER_TOKEN.");
  const store = openLocalStore(env);
  try {
    const all = await localCredentials(store, env);
    if (!dryRun) {
      for (const one of all) {
        await uploadToBroker(address, one).catch((error: Error) => {
          throw environmentError("broker", error.message);
        });
      }
    }
    printImported(this, all, dryRun ? "would be sent to the broker" : "sent to the broker");
  } finally {
    store.close();
  }
}

function filesAt(path: string): string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) throw usageError(`There is no ${path}.`);
  if (!found.isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => join(path, name));
}

function printImported({ output }: Context, all: readonly ImportedCredential[], done: string): void {
  const rows = all.map(({ provider, data }) => ({ provider, type: data.type }));
  if (output.json) return output.data({ done, credentials: rows });
  output.print(
    `${pluralize(all.length, "credential")} ${done}: ${[...new Set(rows.map((row) => row.provider))].join(", ")}`,
  );
}
