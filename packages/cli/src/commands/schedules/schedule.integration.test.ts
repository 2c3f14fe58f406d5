import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Schedule, Session } from "@gantry/protocol";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../command-line.harness.ts";

const home = realpathSync(mkdtempSync(join(tmpdir(), "gantry-schedule-")));
const library = realpathSync(mkdtempSync(join(tmpdir(), "gantry-library-")));
const gantry = commandLine(home);
const SLOW = 180_000;
const json = async <T>(...args: string[]) => JSON.parse((await gantry([...args, "--json"], { cwd: home })).stdout) as T;

afterAll(async () => {
  await gantry(["stop", "--release"]);
  for (const folder of [home, library]) rmSync(folder, { recursive: true, force: true });
}, SLOW);

test(
  "creates, lists, pauses, runs and removes scheduled messages",
  async () => {
    expect((await gantry(["schedule"])).stdout).toContain("No schedules");
    const session = await json<Session>("run", "-a", "scripted", "--detach", "[[text]] hello");
    await gantry(["wait", session.id]);

    const sent = await gantry(["send", session.id, "--in", "2h", "[[text]] how far is it?"]);
    expect(sent).toMatchObject({ status: 0, stdout: expect.stringMatching(/^sch_\S+ for \S+: .*\d\d:\d\d\n$/) });
    const daily = await json<Schedule>("send", session.id, "--every", "30 9 * * 1-5", "--delivery", "queue", "morning");
    expect(daily).toMatchObject({ session: session.id, every: "30 9 * * 1-5", delivery: "queue", enabled: true });
    const after = await json<Schedule>(
      "schedule",
      "new",
      "-a",
      "scripted",
      "--after",
      session.id,
      "--outcome",
      "failed",
      "--add-dir",
      library,
      "repair",
    );
    expect(after).toMatchObject({
      create: { agent: "scripted", cwd: home, folders: [library] },
      after: { session: session.id, outcome: "failed" },
    });

    const { stdout } = await gantry(["schedule", "ls"]);
    expect(stdout).toMatch(/once +.*how far is it\?/);
    expect(stdout).toMatch(/30 9 \* \* 1-5/);
    expect(stdout).toMatch(/after \S+ failed +waits +a new scripted +repair/);

    expect((await gantry(["schedule", "pause", "morning"])).stdout).toContain("paused");
    expect(await json<Schedule>("schedule", "pause", "morning", "--undo")).toMatchObject({ enabled: true });
    expect(
      await json<Schedule>(
        "schedule",
        "change",
        daily.id,
        "--every",
        "2h",
        "--note",
        "checks",
        "--delivery",
        "interrupt",
      ),
    ).toMatchObject({ text: "morning", every: 7200, note: "checks", delivery: "interrupt", enabled: true });
    expect((await gantry(["schedule", "change", daily.id, "good", "evening"])).stdout).toContain("every 2 hours");
    expect(await json<{ schedules: Schedule[] }>("schedule")).toMatchObject({
      schedules: expect.arrayContaining([expect.objectContaining({ id: daily.id, text: "good evening", every: 7200 })]),
    });
    const ran = await json<Schedule>("schedule", "run", "how far");
    expect(ran).toMatchObject({ enabled: false, runs: 1, lastRun: { outcome: "started", session: session.id } });
    const again = await json<Schedule>("schedule", "change", ran.id, "--in", "3h");
    expect(again).toMatchObject({ enabled: true, text: "[[text]] how far is it?" });
    expect(again).not.toHaveProperty("reason");
    expect((await gantry(["__complete", "--", "schedule", "rm", daily.id])).stdout).toContain(daily.id);
    expect((await gantry(["schedule", "rm", daily.id, after.id])).status).toBe(0);
    expect((await json<{ schedules: Schedule[] }>("schedule")).schedules).toHaveLength(1);
  },
  SLOW,
);

test(
  "wrong times and targets exit 2 with an explanation",
  async () => {
    for (const [args, message] of [
      [["send", "last", "--in", "soon", "x"], "not a duration"],
      [["send", "last", "--at", "noon", "x"], "is not a time"],
      [["send", "last", "--at", "12:00", "--in", "5m", "x"], "Give one of"],
      [["send", "last", "--in", "5m", "--wait", "x"], "no --wait"],
      [["schedule", "new", "-s", "last", "x"], "Give a time"],
      [["schedule", "new", "--in", "5m", "x"], "Give a recipient"],
      [["schedule", "new", "-s", "last", "--every", "often", "x"], "no cron expression"],
      [["schedule", "rm", "nothing"], "There is no schedule"],
      [["schedule", "change", "nothing"], "Give what changes"],
      [["schedule", "change", "nothing", "--in", "5m"], "There is no schedule"],
    ] as const) {
      const { status, stderr } = await gantry([...args]);
      expect([status, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
  },
  SLOW,
);
