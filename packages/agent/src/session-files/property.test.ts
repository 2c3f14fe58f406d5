import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { SessionStore } from "../contract/session-store.ts";
import { branchSession } from "./branch-session.ts";
import { createSessionStore, forkSession, openSessionStore } from "./open.ts";

type Model = { parents: Map<string, string | null>; leaf: string | null };

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("append" as const), text: fc.string({ unit: "binary" }) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("move" as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.constant({ do: "reopen" as const }) },
  { weight: 1, arbitrary: fc.constant({ do: "fork" as const }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("branch" as const), at: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("title" as const), text: fc.string() }) },
);

it("preserves the tree across any sequence of appends, moves, branches, forks and reopens", () => {
  const agentDir = mkdtempSync(join(tmpdir(), "gantry-session-property-"));
  try {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        let store = createSessionStore({ cwd: "/w", agentDir });
        let model: Model = { parents: new Map(), leaf: null };
        const texts = new Map<string, string>();
        for (const one of steps) {
          if (one.do === "append") {
            const { id } = store.append({
              type: "message",
              message: { role: "user", content: one.text, timestamp: 1 },
            });
            texts.set(id, one.text);
            model.parents.set(id, model.leaf);
            model.leaf = id;
          }
          if (one.do === "title") store.setTitle(one.text, "user");
          const ids = [null, ...model.parents.keys()];
          if (one.do === "move") {
            model.leaf = ids[one.at % ids.length]!;
            store.moveTo(model.leaf);
          }
          // A session without messages has no file to reopen.
          if (one.do === "reopen" && model.parents.size > 0) {
            store.close();
            store = openSessionStore(store.file!, { agentDir });
          }
          if (one.do === "fork" && model.parents.size > 0) {
            store.close();
            store = forkSession(store.file!, { agentDir });
          }
          if (one.do === "branch") {
            model = cut(model, ids[one.at % ids.length]!);
            const branch = branchSession(store, model.leaf, { agentDir });
            store.close();
            store = branch;
          }
          agree(store, model, texts);
        }
        store.close();
      }),
      { numRuns: 60 },
    );
  } finally {
    rmSync(agentDir, { recursive: true, force: true });
  }
});

function cut({ parents }: Model, leaf: string | null): Model {
  const path = new Map<string, string | null>();
  for (let id = leaf; id !== null; id = parents.get(id)!) path.set(id, parents.get(id)!);
  return { parents: new Map([...path].reverse()), leaf };
}

function agree(store: SessionStore, model: Model, texts: ReadonlyMap<string, string>): void {
  expect(store.leafId).toBe(model.leaf);
  expect(store.entries().map(({ id, parentId }) => [id, parentId])).toEqual([...model.parents]);
  const path = [...cut(model, model.leaf).parents.keys()];
  expect(store.branch().entryIds).toEqual(path);
  expect(store.branch().messages.map((message) => "content" in message && message.content)).toEqual(
    path.map((id) => texts.get(id)),
  );
  expect(store.problems).toEqual([]);
}
