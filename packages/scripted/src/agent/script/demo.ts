import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PlanEntry, Step } from "./step.ts";

const PLAN = ["Look at what is here", "Leave a note for the team", "Check the result"];

/** The turn for a prompt without a marker: a short demonstration with real work in the folder. */
export function demoSteps(prompt: string, cwd: string): Step[] {
  const readme = ["README.md", "readme.md", "package.json"].find((file) => existsSync(join(cwd, file)));
  const look: Step[] = readme ? [{ do: "read", path: readme }] : [];
  return [
    { do: "think", text: "A small, safe change will show how this works: look around first, then edit, then check." },
    { do: "plan", entries: progress(0) },
    { do: "message", text: "I'll look at the folder first, then make a small change you can review." },
    ...look,
    { do: "run", command: "ls -1 | head -n 12", harmless: true },
    { do: "plan", entries: progress(1) },
    noteStep(cwd),
    { do: "plan", entries: progress(2) },
    { do: "run", command: "wc -l NOTES.md 2>/dev/null || echo 'NOTES.md was not written'", harmless: true },
    { do: "plan", entries: progress(3) },
    { do: "message", text: summary(prompt) },
  ];
}

function progress(done: number): PlanEntry[] {
  return PLAN.map((text, index) => ({
    text,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  }));
}

function noteStep(cwd: string): Step {
  const note = "- The scripted agent was here and left everything else as it was.\n";
  const path = join(cwd, "NOTES.md");
  if (!existsSync(path)) return { do: "write", path: "NOTES.md", content: `# Notes\n\n${note}` };
  const first = readFileSync(path, "utf8").split("\n", 1)[0] ?? "";
  if (!first) return { do: "write", path: "NOTES.md", content: `# Notes\n\n${note}` };
  return { do: "edit", path: "NOTES.md", before: first, after: `${first}\n\n${note.trimEnd()}` };
}

function summary(prompt: string): string {
  const excerpt = prompt.trim().replaceAll(/\s+/g, " ").slice(0, 80);
  return [
    "## What I did",
    "",
    ...(excerpt ? [`You asked: *${excerpt}*`, ""] : []),
    "1. **Looked** at the files in this folder.",
    "2. **Proposed** a line for `NOTES.md`; it is there if you allowed it.",
    "3. **Checked** the result with `wc -l`.",
    "",
    "```sh",
    "cat NOTES.md",
    "```",
    "",
    "Nothing here came from a model: this agent follows a script. Try `[[ask]]`, `[[multi]]` or `[[slow:40:50]]` next.",
  ].join("\n");
}
