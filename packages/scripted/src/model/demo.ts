import type { Block, Script } from "./script.ts";

const PLAN = ["Look at what is here", "Leave a note for the team", "Check the result"];
const NOTE = "# Notes\n\n- Gantry was here and left everything else as it was.\n";

const SUMMARY = `## What I did

1. **Looked** at the files in this folder.
2. **Proposed** a line for \`NOTES.md\`; it is there if you allowed it.
3. **Checked** the result with \`wc -l\`.

\`\`\`sh
cat NOTES.md
\`\`\`

The agent, its tools and your approval were real. The model was not: it follows a script, so that no key is needed. Try \`[[ask]]\`, \`[[multi]]\` or \`[[slow:40:50]]\` next.`;

/** A short demonstration with real work in any folder. */
export function demoScript(): Script {
  return {
    replies: [
      [
        {
          type: "think",
          text: "A small, safe change will show how this works: look around first, then edit, then check.",
        },
        { type: "text", text: "I'll look at the folder first, then make a small change you can review." },
        plan(0),
        { type: "bash", command: "ls -1 | head -n 12", description: "See what is here" },
      ],
      [{ type: "read", file: "README.md" }],
      [plan(1), { type: "write", file: "NOTES.md", content: NOTE }],
      [plan(2), { type: "bash", command: "wc -l NOTES.md", description: "Check the note" }],
      [plan(3)],
      [{ type: "text", text: SUMMARY }],
    ],
  };
}

/** A repair with a search, edits, a test that fails, and a commit. */
export function repairScript(): Script {
  const edit = (before: string, after: string): Block => ({ type: "edit", file: "src/sum.js", before, after });
  const bash = (command: string, description: string): Block => ({ type: "bash", command, description });
  const found = "The list that is empty has no first number to begin with. ";
  return {
    replies: [
      [
        { type: "text", text: "I look for it." },
        { type: "call", names: ["grep", "Grep"], input: { pattern: "function sum", path: "." } },
      ],
      [{ type: "read", file: "src/sum.js" }],
      [edit("a - b", "a + b")],
      [bash("node --test", "Run the tests")],
      [{ type: "text", text: found, size: "word", delay: "slow" }, edit("a + b)", "a + b, 0)")],
      [bash("node --test", "Run the tests again")],
      // Checks first, because the model cannot know whether the commit already exists.
      [bash("git diff --quiet HEAD || { git add --update && git commit --quiet --message 'Fix sum'; }", "Commit")],
      [{ type: "text", text: "Fixed and committed." }],
    ],
  };
}

function plan(done: number): Block {
  const todos = PLAN.map((content, index) => ({
    content,
    status: index < done ? "completed" : index === done ? "in_progress" : "pending",
  }));
  return { type: "call", names: ["todo_write"], input: { todos } };
}
