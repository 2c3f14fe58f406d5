import { lastMarker, numberArgument } from "../../marker.ts";
import { demoSteps } from "./demo.ts";
import type { Question, Step, ToolStep } from "./step.ts";

interface Scenario {
  about: string;
  steps: (args: string[]) => Step[];
}

const message = (text: string): Step => ({ do: "message", text });
const run = (command: string, harmless = false): ToolStep => ({ do: "run", command, harmless });

const COLOUR: Question = {
  id: "q1",
  header: "Colour",
  text: "Which colour?",
  options: [
    { label: "Red", description: "warm" },
    { label: "Blue", description: "cold" },
  ],
};

const UNICODE =
  'before \u2028 after, para \u2029 end; emoji 🚀 👩‍👩‍👧‍👦; right to left: שלום مرحبا; nul \u0000; "quotes" \\ backslash\n世界';

/** Every scenario of the fake agents, by the `[[name]]` of a prompt. */
export const agentScenarios: Record<string, Scenario> = {
  text: { about: "one short message", steps: () => [message("Hello from the scripted agent. The answer is 42.")] },
  say: { about: "this text as a message", steps: (args) => [message(args.join(":") || "Nothing.")] }, // prose-ignore: a scenario name
  think: {
    about: "reasoning, then a message",
    steps: () => [
      { do: "think", text: "Let me think about this. First A, then B." },
      message("After thinking: the answer is 42."),
    ],
  },
  write: {
    about: "writes `hello.txt` (asks)",
    steps: () => [
      message("I will create the file."),
      { do: "write", path: "hello.txt", content: "hello world\n" },
      message("Done: the file step has ended."),
    ],
  },
  lines: {
    about: "writes `lines.txt` with N lines (500) (asks)",
    steps: (args) => {
      const content = Array.from({ length: numberArgument(args, 0, 500) }, (_, index) => `line ${index + 1}\n`).join(
        "",
      );
      return [{ do: "write", path: "lines.txt", content }, message("Done: the lines are written.")];
    },
  },
  edit: {
    about: "writes `edit.txt` and edits it (asks twice)",
    steps: () => [
      { do: "write", path: "edit.txt", content: "first line\nsecond line\n" },
      { do: "edit", path: "edit.txt", before: "first line", after: "FIRST line" },
      message("Done: edit.txt edited."),
    ],
  },
  read: { about: "reads `/etc/hostname`", steps: () => [{ do: "read", path: "/etc/hostname" }, message("read done")] },
  bash: {
    about: "runs a command that writes `bash.txt`",
    steps: () => [run("echo hi-from-bash > bash.txt && cat bash.txt"), message("Done: bash ran.")],
  },
  background: {
    about: "starts a command of N seconds (10) in the background",
    steps: (args) => {
      const title = `sleep ${numberArgument(args, 0, 10)}`;
      return [{ do: "background", command: `exec ${title}`, title }, message("It runs in the background.")];
    },
  },
  backgroundscript: {
    about: "starts `sh NAME` (script.sh) in the background",
    steps: ([name = "script.sh"]) => [
      { do: "background", command: `exec sh ${name}`, title: `sh ${name}` },
      message("It runs in the background."),
    ],
  },
  script: {
    about: "runs `sh NAME` (script.sh)",
    steps: ([name = "script.sh"]) => [run(`sh ${name}`), message("The script has run.")],
  },
  named: {
    about: "runs a command that writes a file named after the folder",
    steps: () => [run('n=$(basename "$PWD"); echo "by $n" > "$n.txt"'), message("Done: named file.")],
  },
  touch: { about: "runs `touch touched.txt`", steps: () => [run("touch touched.txt"), message("touched.")] },
  remove: {
    about: "runs `rm -f removed.txt` (asks)",
    steps: () => [{ do: "run", command: "rm -f removed.txt", grave: true }, message("removed.")],
  },
  bashfail: {
    about: "runs a command that exits 3",
    steps: () => [run("echo oops >&2; exit 3", true), message("The command failed with 3.")],
  },
  bashslow: {
    about: "touches `started.txt`, then runs without end",
    steps: () => [run("touch started.txt; tail -f /dev/null"), message("slept.")],
  },
  bigoutput: {
    about: "runs a command that prints N bytes (300000)",
    steps: (args) => [
      run(`head -c ${numberArgument(args, 0, 300_000)} /dev/zero | tr '\\0' 'x' | fold -w 99`, true),
      message("That was a lot of output."),
    ],
  },
  multi: {
    about: "two commands at once, a write, reasoning, a read, a message",
    steps: () => [
      message("Doing several things."),
      { do: "together", steps: [run("echo one", true), run("echo two", true)] },
      { do: "write", path: "multi.txt", content: "multi\n" },
      { do: "think", text: "checking the file" },
      { do: "read", path: "multi.txt" },
      message("All four tool calls done."),
    ],
  },
  parallel: {
    about: "three commands at once",
    steps: () => [
      { do: "together", steps: [run("echo first", true), run("echo second", true), run("echo third", true)] },
      message("All three at once are done."),
    ],
  },
  slow: {
    about: "N pieces of text (40), D ms between them (50)",
    steps: (args) => {
      const text = Array.from({ length: numberArgument(args, 0, 40) }, (_, index) => `word${index} `).join("");
      return [{ do: "message", text, size: "word", delay: numberArgument(args, 1, 50) }];
    },
  },
  long: {
    about: "a message of N characters (4000)",
    steps: (args) => {
      const size = numberArgument(args, 0, 4000);
      return [{ do: "message", text: "x ".repeat(Math.ceil(size / 2)).slice(0, size), size: 100, delay: 0 }];
    },
  },
  unicode: { about: "U+2028, emoji, right-to-left, NUL", steps: () => [message(UNICODE)] },
  ask: {
    about: "asks a question",
    steps: () => [{ do: "ask", questions: [COLOUR] }, message("Thanks for answering.")],
  },
  plan: {
    about: "offers a plan for approval",
    steps: () => [{ do: "propose", plan: "1. do it\n2. done" }, message("Plan handled.")],
  },
  todo: {
    about: "sets a to-do list",
    steps: () => [
      {
        do: "plan",
        entries: [
          { text: "step A", status: "in_progress" },
          { text: "step B", status: "pending" },
        ],
      },
      message("Todos set."),
    ],
  },
  subagent: {
    about: "gives work to a subagent",
    steps: () => [
      { do: "delegate", title: "sub work", prompt: "sub task", report: "The subagent found nothing wrong." },
      message("Subagent finished."),
    ],
  },
  burst: {
    about: "N durable events (1000) as fast as possible",
    steps: (args) => [{ do: "burst", count: numberArgument(args, 0, 1000) }],
  },
  deltas: {
    about: "one message in N pieces (1000) of B characters (20)",
    steps: (args) => [{ do: "deltas", count: numberArgument(args, 0, 1000), bytes: numberArgument(args, 1, 20) }],
  },
  error: {
    about: "the turn fails with that category (`unknown`)",
    steps: (args) => [
      message("Something is about to fail."),
      { do: "fail", category: args[0] || "unknown", message: `The scripted agent failed: ${args[0] || "unknown"}` },
    ],
  },
  compact: {
    about: "makes the conversation shorter, then a message",
    steps: () => [{ do: "compact" }, message("Compacted.")],
  },
  refuse: {
    about: "the turn fails with that category (`rate_limit`) before any output",
    steps: (args) => {
      const category = args[0] || "rate_limit";
      return [
        { do: "fail", category, message: `The scripted provider refused: ${category}${args[1] ? `. ${args[1]}` : ""}` },
      ];
    },
  },
  hang: { about: "no output until it is interrupted", steps: () => [{ do: "hang" }] },
};

/** The steps for a prompt: its marker's scenario, or the demonstration when it names none. */
export function stepsFor(prompt: string, cwd: string): Step[] {
  const marker = lastMarker(prompt);
  const scenario = marker && Object.hasOwn(agentScenarios, marker.name) ? agentScenarios[marker.name] : undefined;
  return scenario && marker ? scenario.steps(marker.args) : demoSteps(prompt, cwd);
}

/** The steps for a steering message. Without a marker, the agent acknowledges it. */
export function steeredSteps(prompt: string, cwd: string): Step[] {
  return lastMarker(prompt) ? stepsFor(prompt, cwd) : [message(`Noted: ${prompt.trim().slice(0, 200)}`)];
}
