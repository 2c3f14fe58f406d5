import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { TestDaemon } from "../../test-daemon.ts";

const daemon = new TestDaemon();
beforeAll(() => daemon.start());
afterAll(() => daemon.dispose());

/** A profile whose program is this shell script. */
async function addProfile(id: string, script: string, more = ""): Promise<void> {
  const path = join(daemon.home, `${id}.sh`);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  const text = `id: ${id}\nextends: plain\ncommand: [${path}]\n${more}`;
  await daemon.client.call("putProfile", { params: { id }, body: { text } });
}

async function answerOf(agent: string, prompt: string, model?: string) {
  const { id } = await daemon.client.sessions.create({ agent, cwd: daemon.cwd, prompt, ...(model ? { model } : {}) });
  const { lastTurn } = await daemon.waitForIdle(id);
  const texts = (await daemon.log(id)).flatMap((event) => (event.type === "message.done" ? [event.data.text] : []));
  return { texts, lastTurn };
}

describe("a local profile of a program that prints text", () => {
  it("gets the prompt on stdin, and what it prints is the answer", async () => {
    await addProfile("upper", "tr a-z A-Z");
    const { texts, lastTurn } = await answerOf("upper", "two\nlines");
    expect(texts.join("")).toContain("TWO\nLINES");
    expect(lastTurn?.outcome).toBe("completed");
  });

  it("gets the prompt as an argument that is no option, and the model in the environment", async () => {
    await addProfile("echoes", 'printf "%s|%s" "$GANTRY_MODEL" "$1"', "prompt: argument\nmodels: [small]\n");
    const { texts } = await answerOf("echoes", "hello there", "small");
    expect(texts.join("")).toMatch(/^small\|[\s\S]*hello there$/);
  });

  it("fails the turn with its error if it exits with another code", async () => {
    await addProfile("fails", "echo half; echo 'rate limit exceeded' >&2; exit 3");
    const { lastTurn } = await answerOf("fails", "go");
    expect(lastTurn).toMatchObject({ outcome: "failed", error: { category: "rate_limit" } });
  });

  it("is listed with what it can do", async () => {
    await addProfile("listed", "cat");
    const { agent: row } = await daemon.client.agents.get("listed");
    expect(row.capabilities).toMatchObject({ images: false, resume: false, folders: true, plan: false });
  });
});
