import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import type { Model } from "../model.ts";
import { FRESH_MS, fingerprint, isFresh, openModelCache, RETRY_MS } from "./model-cache.ts";

const row = { updatedAt: 1000, authoritative: true, fingerprint: "abc", models: [{ id: "m" } as Model] };

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), "gantry-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "agent/models.db");
}

it("stores models for later runs and other processes", () => {
  const path = file();
  const [one, two] = [openModelCache(path), openModelCache(path)];
  expect(one.read("p")).toBeUndefined();
  expect(existsSync(path)).toBe(false);
  one.write("p", row);
  expect(two.read("p")).toEqual(row);
  two.write("p", { ...row, authoritative: false });
  expect(one.read("p")?.authoritative).toBe(false);
  one.close();
  two.close();
  const database = new DatabaseSync(path);
  expect(database.prepare("PRAGMA journal_mode").get()).toEqual({ journal_mode: "wal" });
  const columns = database.prepare("PRAGMA table_info(model_cache)").all();
  expect(columns.map(({ name }) => name)).toEqual([
    "provider_id",
    "version",
    "updated_at",
    "authoritative",
    "static_fingerprint",
    "models",
  ]);
  database.close();
});

it("ignores rows of another version and invalid rows", () => {
  const path = file();
  const cache = openModelCache(path);
  cache.write("old", row);
  cache.write("odd", row);
  const database = new DatabaseSync(path);
  database.exec("UPDATE model_cache SET version = 2 WHERE provider_id = 'old'");
  database.exec("UPDATE model_cache SET models = '{' WHERE provider_id = 'odd'");
  database.close();
  expect([cache.read("old"), cache.read("odd")]).toEqual([undefined, undefined]);
  cache.close();
  expect(cache.read("p")).toBeUndefined();
});

it("works without a cache if the file is not a database", () => {
  const folder = mkdtempSync(join(tmpdir(), "gantry-cache-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "models.db"), "no database ".repeat(1000));
  const cache = openModelCache(join(folder, "models.db"));
  expect(cache.read("p")).toBeUndefined();
  cache.write("p", row);
  expect(cache.read("p")).toBeUndefined();
});

it("is fresh for two hours, or for five minutes if the provider did not answer", () => {
  expect(isFresh(row, 1000 + FRESH_MS - 1)).toBe(true);
  expect(isFresh(row, 1000 + FRESH_MS)).toBe(false);
  expect(isFresh({ ...row, authoritative: false }, 1000 + RETRY_MS - 1)).toBe(true);
  expect(isFresh({ ...row, authoritative: false }, 1000 + RETRY_MS)).toBe(false);
  expect(isFresh(row, 999)).toBe(false);
});

it("fingerprints a list of models once, and differs for different lists", () => {
  let looked = 0;
  const watched = [{ id: "a", toJSON: () => ++looked && { id: "a" } }] as unknown as Model[];
  expect(fingerprint(watched)).toBe(fingerprint(watched));
  expect(looked).toBe(1);
  expect(fingerprint([{ id: "a" } as Model])).toBe(fingerprint(watched));
  expect(fingerprint([{ id: "b" } as Model])).not.toBe(fingerprint(watched));
});
