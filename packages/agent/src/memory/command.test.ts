import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sessionFolder } from "../session-files/paths.ts";
import { runMemoryCommand } from "./command.ts";
import { createMemory } from "./create-memory.ts";
import { writeMemory } from "./files.ts";

function memoryOf(enabled: boolean) {
  const agentDir = mkdtempSync(join(tmpdir(), "gantry-memory-command-"));
  onTestFinished(() => rmSync(agentDir, { recursive: true, force: true }));
  const cwd = join(agentDir, "project");
  const folder = join(agentDir, "memories", sessionFolder(cwd, { agentDir }).split("/").at(-1) ?? "");
  writeMemory(folder, { memory: "all of it", summary: "use tabs", skills: [{ name: "release", content: "steps" }] });
  return { memory: createMemory({ cwd, agentDir, settings: { enabled } }), folder };
}

it.each(["", "view"])("/memory %s shows the notes for new sessions and their files", async (what) => {
  const { memory, folder } = memoryOf(true);
  const text = await runMemoryCommand(memory, what);
  expect(text).toContain("use tabs");
  expect(text).toContain(join(folder, "skills/release/SKILL.md"));
});

it.each(["clear", "reset"])("/memory %s deletes all notes, also while memory is off", async (what) => {
  for (const enabled of [true, false]) {
    const { memory, folder } = memoryOf(enabled);
    expect(await runMemoryCommand(memory, what)).toContain("deleted");
    expect(existsSync(folder)).toBe(false);
    expect(memory.prompt()).toBeUndefined();
  }
});

it.each(["enqueue", "rebuild"])("/memory %s makes the next run merge the notes", async (what) => {
  const { memory } = memoryOf(true);
  expect(await runMemoryCommand(memory, what)).toContain("next start");
  const run = await memory.run(async () => "{}", new AbortController().signal);
  expect(run).toEqual({ extracted: 0, consolidated: true, problems: [] });
  expect(await runMemoryCommand(memoryOf(false).memory, what)).toContain("memories.enabled");
});

it("refuses anything else and lists the known ones", async () => {
  await expect(runMemoryCommand(memoryOf(true).memory, "burn")).rejects.toThrow(/no \/memory burn.*clear/);
});
