import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { needs } from "@gantry/testkit";
import { expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 600_000;

test.skipIf(!areInstalled("cursor"))(
  "an agent in Cursor's cloud is listed, opened, followed across a kill of the daemon, cancelled and prompted",
  { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
  async () => {
    const bench = await openBench(newestTarget("cursor"));
    const { conversations } = await bench.client.agents.conversations("cursor");
    const cloud = conversations.find(({ where }) => where !== undefined);
    expect(cloud).toMatchObject({ title: "Scripted cloud agent", follow: "/follow" });

    const conversation = await bench.session({ resume: cloud?.id, prompt: cloud?.follow });
    await eventually("text of the run", () => conversation.streamedText("text").includes("word1"));
    const before = bench.agents();
    await bench.restart(async () => expect(bench.agents()).toEqual(before));
    await eventually("more text after the restart", () => /word\d{2}/.test(conversation.streamedText("text")), 120_000);
    expect(conversation.of("notice").map(({ data }) => data.kind)).toContain("cloud");

    await bench.client.sessions.interrupt(conversation.id, "clear");
    expect((await conversation.waitForEnd()).data.outcome).toBe("interrupted");
    const cancelled = bench.model
      .requests()
      .filter(({ path, method }) => method === "POST" && path.endsWith("/cancel"));
    expect(cancelled).toHaveLength(1);

    const end = await conversation.runTurn("[[text]] hello");
    expect(end.data.outcome).toBe("completed");
    expect(conversation.of("message.done").at(-1)?.data.text).toBe("Hello from the scripted model. The answer is 42.");
    expect((await conversation.view()).handles.cursor).toBe(cloud?.id);

    const key = bench.model.requests().find(({ headers }) => headers.authorization?.startsWith("Bearer key_"))?.headers;
    expect(findText(join(bench.home, "gantry"), (key?.authorization ?? "no key").replace("Bearer ", ""))).toEqual([]);
  },
);

/** The files below a folder that contain the text. */
function findText(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}
