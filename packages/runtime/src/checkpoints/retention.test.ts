import { existsSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Config } from "../config.ts";
import type { Store } from "../log/port.ts";
import { openStore } from "../log/sqlite/open.ts";
import { Retention } from "./retention.ts";
import { TestTree, testGit } from "./testing/test-tree.ts";
import { refOf, storeRef } from "./work-tree/refs.ts";
import type { WorkTree } from "./work-tree/work-tree.ts";

const DAY = 86_400_000;

let test: TestTree;
let store: Store;
let tree: WorkTree;
let retention: Retention;

beforeEach(async () => {
  test = new TestTree();
  store = openStore(join(test.home, "gantry.db"));
  tree = await test.open();
  const config = { ...Config.parse({}).checkpoints, days: 30, keep: 2 };
  retention = new Retention({ git: testGit, store, home: test.home, config });
});
afterEach(() => {
  store.close();
  test.remove();
});

async function turns(session: string, ...ids: string[]): Promise<void> {
  const { commit } = await tree.snapshot();
  retention.note(session, tree.place);
  for (const id of ids) {
    await storeRef(tree.repository, refOf(session, id, "before"), commit);
    await storeRef(tree.repository, refOf(session, id, "after"), commit);
  }
}

function begin(session: string): void {
  const at = "2026-01-01T00:00:00.000Z";
  const data = { agent: "scripted", mode: "ask" as const, cwd: test.repository.path, title: "t", origin: "api" };
  store.commit({ session, events: [{ v: 1, session, seq: 1, at, type: "session.created", data }] });
}

it("deletes expired checkpoints except the newest turns, and all of deleted sessions", async () => {
  const odd = "ses_a:b#c..d";
  for (const session of ["ses_1", odd]) begin(session);
  await turns("ses_1", "trn_1", "trn_2", "trn_3");
  await turns(odd, "trn_9");
  await turns("ses_gone", "trn_4");
  await retention.sweep(Date.now() + DAY);
  expect([...(await retention.storedOf("ses_1")).keys()]).toHaveLength(6);
  expect(await retention.storedOf("ses_gone")).toEqual(new Map());
  expect(retention.repositoriesOf("ses_gone")).toEqual([]);
  await retention.sweep(Date.now() + 40 * DAY);
  const left = ["trn_2/after", "trn_2/before", "trn_3/after", "trn_3/before"];
  expect([...(await retention.storedOf("ses_1")).keys()].sort()).toEqual(left);
  expect([...(await retention.storedOf(odd)).keys()].sort()).toEqual(["trn_9/after", "trn_9/before"]);
});

it("forgets deleted work trees and repositories", async () => {
  begin("ses_1");
  await turns("ses_1", "trn_1");
  renameSync(test.repository.path, `${test.repository.path}-moved`);
  expect(existsSync(tree.shadow.index)).toBe(true);
  await retention.sweep(Date.now());
  expect(readdirSync(join(test.home, "checkpoints"))).toEqual([]);
  expect(await retention.storedOf("ses_1")).toEqual(new Map());
});
