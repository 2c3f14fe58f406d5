import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope, PastSession } from "@gantry/protocol";
import { afterAll, expect, test } from "vitest";
import { TestRepository } from "../../../../runtime/src/lanes/testing/test-repository.ts";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-show-")));
const repo = new TestRepository();
const cwd = repo.path;
const gantry = commandLine(home);
const SLOW = 240_000;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  repo.remove();
  rmSync(home, { recursive: true, force: true, maxRetries: 5 });
}, SLOW);

test(
  "shows a session as it was after an event, and forks it from there",
  async () => {
    await gantry(["run", "-a", "scripted", "--mode", "full-auto", "[[edit]] first"], { cwd });
    const { stdout } = await gantry(["logs", "last", "--json"], { cwd });
    const log = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Envelope);
    const started = log.find(({ type }) => type === "turn.started")?.seq ?? 0;
    const ended = log.find(({ type }) => type === "turn.ended")?.seq ?? 0;
    const during = (await gantry(["show", "last", "--at", String(started)], { cwd })).stdout;
    expect(during).toMatch(new RegExp(`as of +event ${started} of \\d+, turn.started`));
    expect(during).toMatch(/files +checkpoint [0-9a-f]{12}, before the turn; the turn was running/);
    expect(during).toContain(`--at ${started}`);
    const after = JSON.parse((await gantry(["show", "last", "--at", String(ended), "--json"], { cwd })).stdout);
    expect(after as PastSession).toMatchObject({
      state: "idle",
      lastSeq: ended,
      moment: { seq: ended, type: "turn.ended" },
      checkpoint: { side: "after", exact: true },
    });
    const refused = await gantry(["show", "last", "--at", "9999"], { cwd });
    expect(refused.status).not.toBe(0);
    expect(refused.stderr).toContain("there is no event 9999");
    const fork = JSON.parse((await gantry(["fork", "last", "--at", String(ended), "--json"], { cwd })).stdout);
    expect(fork).toMatchObject({ origin: "fork", forkedAt: ended });
  },
  SLOW,
);
