import { parseObject } from "../json.ts";
import { type Marker, numberArgument } from "../marker.ts";
import { demoScript, repairScript } from "./demo.ts";
import { type FailureName, failures } from "./failures.ts";
import { type Block, PLAN_FILE, type Script } from "./script.ts";
import { napOf, QUESTION, SERVER, SUBAGENT_TOOLS, SUBTASK, TODO, TODO_TOOLS } from "./tool-inputs.ts";

/** A scenario: what it shows, and the script for its arguments. */
interface Scenario {
  about: string;
  script: (args: string[]) => Script;
}

const text = (content: string): Block => ({ type: "text", text: content });
const think = (content: string): Block => ({ type: "think", text: content });
const write = (file: string, content: string): Block => ({ type: "write", file, content });
const read = (file: string): Block => ({ type: "read", file });
const bash = (command: string, description: string): Block => ({ type: "bash", command, description });
const call = (names: string[], input: Record<string, unknown>): Block => ({ type: "call", names, input });
const replies = (...steps: Block[][]): Script => ({ replies: steps });

const GREETING = "Hello from the scripted model. The answer is 42.";
const STREAMED = "This answer is longer than a single chunk, so that it can be cut in the middle.";
const HARD_TEXT =
  "before \u2028 after, para \u2029 end; emoji 🚀 👩‍👩‍👧‍👦; right to left: שלום مرحبا; " +
  'nul as text \\u0000 and as character \u0000; "quotes" \\ backslash; tab\tand newline\n世界';

const PLAN = { plan: "1. do it\n2. done", plan_filename: "plan.md" };

const PROPOSED_PLAN = "I have a plan.\n\n<proposed_plan>\n1. write hello.txt\n2. done\n</proposed_plan>\n";

/** Every scenario that answers well. Names are the `[[name]]` of a prompt. */
const answering: Record<string, Scenario> = {
  text: { about: "one short text", script: () => replies([text(GREETING)]) },
  say: { about: "this text as a message", script: (args) => replies([text(args.join(":") || "Nothing.")]) }, // prose-ignore: a scenario name
  proposal: { about: "a plan in the answer", script: () => replies([text(PROPOSED_PLAN)]) },
  think: {
    about: "reasoning, then text",
    script: () =>
      replies([
        think("Let me think about this step by step. First A, then B."),
        text("After thinking: the answer is 42."),
      ]),
  },
  write: {
    about: "writes `hello.txt`",
    script: () =>
      replies(
        [text("I will create the file."), write("hello.txt", "hello world\n")],
        [text("Done: hello.txt written.")],
      ),
  },
  writeto: {
    about: "writes a file of that path",
    script: (args) =>
      replies([write(args.join(":") || "hello.txt", "written there\n")], [text("Done: it is written.")]),
  },
  edit: {
    about: "writes `edit.txt`, then edits it",
    script: () =>
      replies(
        [write("edit.txt", "first line\nsecond line\n")],
        [{ type: "edit", file: "edit.txt", before: "first line", after: "FIRST line" }],
        [text("Done: edit.txt edited.")],
      ),
  },
  read: {
    about: "reads a file of that path (`/etc/hostname`)",
    script: (args) => replies([read(args.join(":") || "/etc/hostname")], [text("read done")]),
  },
  bash: {
    about: "runs a command that writes `bash.txt`",
    script: () =>
      replies([bash("echo hi-from-bash > bash.txt && cat bash.txt", "Write bash.txt")], [text("Done: bash ran.")]),
  },
  tool: {
    about: "calls the tool NAME with a text",
    script: ([name = "none"]) => replies([call([name], { text: "  from the model " })], [text("The tool was called.")]),
  },
  script: {
    about: "runs `sh NAME` (script.sh)",
    script: ([name = "script.sh"]) => replies([bash(`sh ${name}`, "Run a script")], [text("The script has run.")]),
  },
  named: {
    about: "runs a command that writes a file named after the folder",
    script: () =>
      replies([bash('n=$(basename "$PWD"); echo "by $n" > "$n.txt"', "Write a file")], [text("Done: named file.")]),
  },
  bash6s: {
    about: "runs a command of six seconds with a line each second",
    script: () =>
      replies(
        [
          bash(
            "touch s.txt; for i in 1 2 3 4 5 6; do echo line$i; python3 -c 'import time; time.sleep(1)'; done",
            "Six",
          ),
        ],
        [text("six done")],
      ),
  },
  nap: {
    about: "runs a command of N seconds (10)",
    script: (args) =>
      replies(
        [{ type: "bash", command: napOf(args), description: "Nap", patient: true }],
        [text("The nap has ended.")],
      ),
  },
  background: {
    about: "starts a command of N seconds (10), or until file N exists, in the background",
    script: (args) =>
      replies(
        [{ type: "bash", command: napOf(args), description: "Nap", background: true }],
        [text("It runs in the background.")],
      ),
  },
  backgroundserver: {
    about: "starts a command in the background that listens on a port",
    script: () =>
      replies(
        [{ type: "bash", command: SERVER, description: "Serve", background: true }],
        [text("The server runs in the background.")],
      ),
  },
  backgroundagent: {
    about: "starts a subagent in the background that runs a command of N seconds (10)",
    script: (args) => {
      const prompt = `[[nap:${args[0] ?? 10}]] sub task`;
      const input = { ...SUBTASK, prompt, message: prompt, task: prompt, run_in_background: true, await: false };
      return replies([call(SUBAGENT_TOOLS, input)], [text("The subagent runs in the background.")]);
    },
  },
  bashfail: {
    about: "runs a command that exits 3",
    script: () => replies([bash("echo oops >&2; exit 3", "Fail")], [text("The command failed with 3.")]),
  },
  bashslow: {
    about: "touches `started.txt`, then runs without end",
    script: () => replies([bash("touch started.txt; tail -f /dev/null", "Long running")], [text("slept.")]),
  },
  touch: {
    about: "runs `touch touched.txt`",
    script: () => replies([bash("touch touched.txt", "Touch")], [text("touched.")]),
  },
  bigoutput: {
    about: "runs a command that prints N bytes (default 300000)",
    script: (args) =>
      replies(
        [bash(`head -c ${numberArgument(args, 0, 300_000)} /dev/zero | tr '\\0' 'x' | fold -w 99`, "Print a lot")],
        [text("That was a lot of output.")],
      ),
  },
  multi: {
    about: "two commands at once, a write, a read with reasoning, text",
    script: () =>
      replies(
        [text("Doing several things."), bash("echo one", "Echo one"), bash("echo two", "Echo two")],
        [write("multi.txt", "multi\n")],
        [think("checking the file"), read("multi.txt")],
        [text("All four tool calls done.")],
      ),
  },
  parallel: {
    about: "three commands in one reply",
    script: () =>
      replies(
        [bash("echo first", "First"), bash("echo second", "Second"), bash("echo third", "Third")],
        [text("All three at once are done.")],
      ),
  },
  slow: {
    about: "N pieces of text (200), D ms between them (the slow pace)",
    script: (args) => {
      const count = numberArgument(args, 0, 200);
      const reply = Array.from({ length: count }, (_, index) => `word${index} `).join("");
      const delay = args[1] === undefined ? ("slow" as const) : numberArgument(args, 1, 250);
      return replies([{ type: "text", text: reply, size: "word", delay }]);
    },
  },
  slowthink: {
    about: "like `slow`, as reasoning, then text",
    script: (args) => {
      const thoughts = Array.from({ length: numberArgument(args, 0, 200) }, (_, index) => `thought${index} `).join("");
      const delay = args[1] === undefined ? ("slow" as const) : numberArgument(args, 1, 250);
      return replies([{ type: "think", text: thoughts, size: "word", delay }, text("Thought it over.")]);
    },
  },
  long: {
    about: "a text of N characters (4000)",
    script: (args) => {
      const size = numberArgument(args, 0, 4000);
      return replies([{ type: "text", text: "x ".repeat(Math.ceil(size / 2)).slice(0, size), size: 100, delay: 0 }]);
    },
  },
  deltas: {
    about: "a text in N pieces (1000) of B characters (20)",
    script: (args) => {
      const [count, size] = [numberArgument(args, 0, 1000), numberArgument(args, 1, 20)];
      return replies([
        { type: "text", text: "abcdefghi ".repeat(count * size).slice(0, count * size), size, delay: 0 },
      ]);
    },
  },
  unicode: {
    about: "U+2028, emoji, right-to-left, NUL",
    script: () => replies([{ type: "text", text: HARD_TEXT, size: 5 }]),
  },
  empty: { about: "a reply with nothing in it", script: () => replies([]) },
  maxtok: {
    about: "stops at the token limit",
    script: () => ({ replies: [[text("This was cut")]], stop: "max_tokens" }),
  },
  refuse: { about: "the model refuses", script: () => ({ replies: [[text("I cannot")]], stop: "refusal" }) },
  ask: {
    about: "asks the user a question",
    script: () =>
      replies(
        [
          call(
            ["AskUserQuestion", "question", "request_user_input", "ask_user", "ask_user_question", "AskUser", "ask"],
            QUESTION,
          ),
        ],
        [text("Thanks for answering.")],
      ),
  },
  plan: {
    about: "offers a plan for approval",
    script: () =>
      replies([call(["ExitPlanMode", "exit_plan_mode", "plan_exit", "ExitSpecMode"], PLAN)], [text("Plan handled.")]),
  },
  planfile: {
    about: "offers a plan in the file that the agent has named",
    script: () =>
      replies(
        [call(["ExitPlanMode"], {})],
        [write(PLAN_FILE, "1. do it\n2. done\n")],
        [call(["ExitPlanMode"], {})],
        [text("Plan handled.")],
      ),
  },
  writeplan: {
    about: "writes a plan to the file that the agent has named, and offers it",
    script: () =>
      replies([write(PLAN_FILE, "1. do it\n2. done\n")], [call(["ExitPlanMode"], {})], [text("Plan handled.")]),
  },
  repair: {
    about: "finds `sum`, fixes half of it, runs the tests, fixes the rest, runs them again and commits",
    script: repairScript,
  },
  todo: {
    about: "sets a to-do list",
    script: () => replies([call(TODO_TOOLS, TODO)], [text("Todos set.")]),
  },
  subagent: {
    about: "starts a subagent",
    script: () => replies([call(SUBAGENT_TOOLS, SUBTASK)], [text("Subagent finished.")]),
  },
  lanetask: {
    about: "starts a subagent that writes `hello.txt` in a separate lane",
    script: () =>
      replies(
        [call(["task"], { tasks: [{ id: "Note", assignment: "[[write]] a note" }], lane: true })],
        [text("The lane is there.")],
      ),
  },
  call: {
    about: "calls the tool of that name with these arguments, as JSON without `]`",
    script: ([name = "", ...json]) =>
      replies([call([name], parseObject(json.join(":")) ?? {})], [text("The tool ran.")]),
  },
  dyntool: {
    about: "calls the host's `my_tool`",
    script: () => replies([call(["my_tool"], { a: 1 })], [text("dyn done")]),
  },
  mcp: {
    about: "calls `read_lamp` of the MCP server",
    script: () => {
      const after = "The lamp is lit.";
      const call = { type: "served", name: "read_lamp", input: { place: "Fastnet" }, after } as const;
      return replies([{ ...call, round: 1 }], [{ ...call, round: 2 }], [text(after)]);
    },
  },
  coordinate: {
    about: "starts a session with `start_session` of the MCP coordinator and waits for it",
    script: () => {
      const input = { agent: "scripted", prompt: "[[text]] hello", mode: "plan", wait: true };
      const call = { type: "served", name: "start_session", input, after: "Done." } as const;
      return replies([{ ...call, round: 1 }], [{ ...call, round: 2 }], [text("Done.")]);
    },
  },
  demo: { about: "looks around, leaves a note, checks it: what `gantry demo` shows", script: demoScript },
  badtool: {
    about: "calls a tool that was not offered",
    script: () =>
      replies([{ type: "call", names: ["NoSuchTool"], input: { a: 1 }, offered: false }], [text("Bad tool handled.")]),
  },
  badargs: {
    about: "calls the write tool without arguments",
    script: () => replies([{ type: "badcall", argumentsText: "{}" }], [text("Recovered from bad arguments.")]),
  },
  badjson: {
    about: "calls the write tool with broken JSON",
    script: () => replies([{ type: "badcall", argumentsText: '{"file_path": "x' }], [text("Recovered from bad JSON.")]),
  },
};

/** Every scenario in which the provider misbehaves. */
const misbehaving: Record<string, Scenario> = {
  overflowsse: streamFailure("overflow", "context overflow inside the stream"),
  overloadsse: streamFailure("err503", "overload inside the stream"),
  ratesse: streamFailure("err429", "rate limit inside the stream"),
  quotasse: streamFailure("quota", "quota inside the stream"),
  miderr: mishap("broken", "an error frame after two chunks"),
  drop: mishap("drop", "the socket is cut after two chunks"),
  hang: mishap("hang", "no answer at all"),
  hangmid: mishap("stall", "two chunks, then silence"),
  ...Object.fromEntries(
    (Object.keys(failures) as FailureName[]).map((failure): [string, Scenario] => [
      failure,
      {
        about: `HTTP ${failures[failure].status}: ${failures[failure].openai.code}`,
        script: () => ({ replies: [[text("never sent")]], mishap: { type: "failure", failure } }),
      },
    ]),
  ),
};

/** The table of all scenarios. Every misbehaving one also exists as `<name>once`: the second try succeeds. */
export const scenarios: Record<string, Scenario> = {
  ...answering,
  ...misbehaving,
  ...Object.fromEntries(
    Object.entries(misbehaving).map(([name, scenario]) => [`${name}once`, failOnce(name, scenario)]),
  ),
};

/** The script of a marker. An unknown name plays `text`, so that a stray `[[word]]` in a prompt does no harm. */
export function scriptOf(marker: Marker): Script {
  const scenario = Object.hasOwn(scenarios, marker.name) ? scenarios[marker.name] : scenarios.text;
  return (scenario as Scenario).script(marker.args);
}

function streamFailure(failure: FailureName, about: string): Scenario {
  return { about, script: () => ({ replies: [[text("never sent")]], mishap: { type: "stream-failure", failure } }) };
}

function mishap(type: "broken" | "drop" | "hang" | "stall", about: string): Scenario {
  return { about, script: () => ({ replies: [[text(STREAMED)]], mishap: { type } }) };
}

function failOnce(name: string, scenario: Scenario): Scenario {
  return {
    about: `like \`${name}\`, the first time only`,
    script: (args) => {
      const script = scenario.script(args);
      const mishapOnce = script.mishap ? { ...script.mishap, once: true } : undefined;
      return { replies: [[text(`Recovered from ${name}.`)]], mishap: mishapOnce };
    },
  };
}
