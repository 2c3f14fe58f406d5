import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { openLocalStore } from "../credentials.ts";
import type { LoginData } from "../stored-credential.ts";
import { findKeychain } from "./keychain.ts";

const folders: string[] = [];
const makeFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "store-"));
  folders.push(folder);
  return folder;
};
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const key = (text: string) => ({ type: "api_key", key: text }) as const;
const login: LoginData = { type: "oauth", access: "a", refresh: "r", expires: 5, email: "me@example.com" };

/** A fake of libsecret's `secret-tool` that stores its items in a file. */
function fakeSecretTool(folder: string): { PATH: string; FAKE_ITEMS: string } {
  const bin = join(folder, "bin");
  mkdirSync(bin);
  const script = `#!/bin/sh
[ -e "$FAKE_ITEMS.locked" ] && { echo "Cannot autolaunch D-Bus" >&2; exit 1; }
case "$1" in
lookup) cat "$FAKE_ITEMS" 2>/dev/null || exit 1 ;;
store) cat > "$FAKE_ITEMS" ;;
esac
`;
  writeFileSync(join(bin, "secret-tool"), script);
  chmodSync(join(bin, "secret-tool"), 0o755);
  return { PATH: `${bin}:/usr/bin:/bin`, FAKE_ITEMS: join(folder, "items") };
}

test("creates the file on the first write only, readable by its owner only", async () => {
  const folder = join(makeFolder(), "agent");
  const store = openLocalStore({ GANTRY_KEYCHAIN: "off" }, folder);
  expect(store.rows()).toEqual([]);
  expect(() => statSync(folder)).toThrow();
  await store.put("openai", key("sk-1"));
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of ["agent.db", "agent.db-wal"]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(await store.protection()).toBeUndefined();
  store.close();
});

test("stores several keys of a provider, and re-enables a key that is stored again", async () => {
  const folder = makeFolder();
  const store = openLocalStore({ GANTRY_KEYCHAIN: "off" }, folder);
  const first = await store.put("openai", key("sk-1"));
  await store.put("openai", key("sk-2"));
  await store.put("anthropic", login);
  store.disable(first.id, "revoked");
  store.mark(first.id, { restingUntil: 99, strikes: 2 });
  const other = openLocalStore({ GANTRY_KEYCHAIN: "off" }, folder);
  expect(other.rows()).toMatchObject([
    { provider: "openai", disabledCause: "revoked", restingUntil: 99, strikes: 2 },
    { provider: "openai" },
    { provider: "anthropic", type: "oauth", identity: "me@example.com" },
  ]);
  expect((await store.put("openai", key("sk-1"))).id).toBe(first.id);
  expect(other.rows()[0]).toMatchObject({ restingUntil: 0, strikes: 0 });
  expect(other.rows()[0]?.disabledCause).toBeUndefined();
  expect(await other.open(first.id)).toEqual(key("sk-1"));
  expect(other.remove([first.id])).toBe(1);
  expect(await store.open(first.id)).toBeUndefined();
  store.close();
  other.close();
});

test("encrypts secrets with a keychain, readable by another process of the same user", async () => {
  const folder = makeFolder();
  const env = fakeSecretTool(folder);
  const store = openLocalStore(env, folder);
  const row = await store.put("anthropic", { ...login, access: "very-secret-token" });
  store.close();
  expect(readFileSync(join(folder, "agent.db"), "latin1")).not.toContain("very-secret-token");
  const other = openLocalStore(env, folder);
  expect(await other.open(row.id)).toMatchObject({ access: "very-secret-token" });
  expect(await other.protection()).toBe("Secret Service");
  other.close();
});

test("reports a keychain that stops responding, and stores new secrets unencrypted", async () => {
  const folder = makeFolder();
  const env = fakeSecretTool(folder);
  const store = openLocalStore(env, folder);
  const row = await store.put("openai", key("sk-1"));
  store.close();
  writeFileSync(`${env.FAKE_ITEMS}.locked`, "");
  const locked = openLocalStore(env, folder);
  expect(await locked.open(row.id)).toBeUndefined();
  expect(locked.problems().join()).toContain("keychain");
  const open = await locked.put("groq", key("gsk-1"));
  expect(await locked.protection()).toBeUndefined();
  expect(await locked.open(open.id)).toEqual(key("gsk-1"));
  locked.close();
});

test("does not open an encrypted secret in another row or with another key", async () => {
  const folder = makeFolder();
  const env = fakeSecretTool(folder);
  const store = openLocalStore(env, folder);
  const [mine, theirs] = [await store.put("openai", key("sk-1")), await store.put("groq", key("gsk-2"))];
  store.close();
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(join(folder, "agent.db"));
  db.exec(
    `UPDATE auth_credentials SET data = (SELECT data FROM auth_credentials WHERE id = ${mine.id}) WHERE id = ${theirs.id}`,
  );
  db.close();
  const moved = openLocalStore(env, folder);
  expect(await moved.open(theirs.id)).toBeUndefined();
  expect(await moved.open(mine.id)).toEqual(key("sk-1"));
  moved.close();
  writeFileSync(env.FAKE_ITEMS, Buffer.alloc(32, 7).toString("base64"));
  const strange = openLocalStore(env, folder);
  expect(await strange.open(mine.id)).toBeUndefined();
  expect(strange.problems().join()).toContain("another key");
  strange.close();
});

test("passes the key to the macOS keychain on standard input, never as an argument", async () => {
  const folder = makeFolder();
  const bin = join(folder, "bin");
  mkdirSync(bin);
  // A fake of macOS' `security`: logs its arguments, and stores the last field of its input.
  const script = `#!/bin/sh
echo "$@" >> "$FAKE_ITEMS.args"
case "$1" in
find-generic-password) cat "$FAKE_ITEMS" 2>/dev/null || exit 44 ;;
-i) sed 's/.* //' > "$FAKE_ITEMS" ;;
esac
`;
  writeFileSync(join(bin, "security"), script, { mode: 0o755 });
  const env = { PATH: `${bin}:/usr/bin:/bin`, FAKE_ITEMS: join(folder, "items") };
  const keychain = findKeychain(folder, env, "darwin");
  expect(await keychain?.read()).toBeNull();
  const made = await keychain?.make();
  expect(made).toHaveLength(32);
  expect(await keychain?.read()).toEqual(made);
  expect(readFileSync(`${env.FAKE_ITEMS}.args`, "utf8")).not.toContain(made?.toString("base64"));
});

test("reports a file that is not a database, and rejects writes to it", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "agent.db"), "this is no database, but it is long enough to look at".repeat(100));
  const store = openLocalStore({ GANTRY_KEYCHAIN: "off" }, folder);
  expect(store.rows()).toEqual([]);
  expect(store.problems().join()).toContain("agent.db cannot be read");
  await expect(store.put("openai", key("sk-1"))).rejects.toThrow("cannot be written");
});

test("reports invalid data in a row without quoting it", async () => {
  const folder = makeFolder();
  const store = openLocalStore({ GANTRY_KEYCHAIN: "off" }, folder);
  const row = await store.put("openai", key("sk-1"));
  const { DatabaseSync } = await import("node:sqlite");
  const db = new DatabaseSync(join(folder, "agent.db"));
  db.exec(`UPDATE auth_credentials SET data = '{"type":"api_key","key":5,"note":"half-a-secret"'`);
  db.close();
  expect(await store.open(row.id)).toBeUndefined();
  expect(store.problems().join()).toContain("openai");
  expect(store.problems().join()).not.toContain("half-a-secret");
  store.close();
});

test("grants a lease to one holder until it is released or expires", () => {
  let now = 1000;
  const folder = makeFolder();
  const [one, two] = [1, 2].map(() => openLocalStore({ GANTRY_KEYCHAIN: "off" }, folder, () => now));
  const release = one!.lease("refresh 1", 500);
  expect(release).toBeDefined();
  expect(two!.lease("refresh 1", 500)).toBeUndefined();
  release?.();
  const second = two!.lease("refresh 1", 500);
  expect(second).toBeDefined();
  now += 501;
  expect(one!.lease("refresh 1", 500)).toBeDefined();
  second?.();
  expect(two!.lease("refresh 1", 500)).toBeUndefined();
  one!.close();
  two!.close();
});
