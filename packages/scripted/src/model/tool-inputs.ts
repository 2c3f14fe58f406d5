/** A command that takes N seconds, or until the named file exists. Claude Code refuses a plain `sleep`. */
export function napOf([duration = "10"]: string[]): string {
  const untilFile = `[time.sleep(0.1) for _ in iter(lambda: os.path.exists("${duration}"), True)]`;
  const code = /^\w+\.txt$/.test(duration) ? untilFile : `time.sleep(${Number(duration) || 10})`;
  return `touch started.txt; python3 -c 'import os, time; ${code}'; echo nap over`;
}

/** A server on a free port, which prints its address like a dev server. */
export const SERVER =
  'python3 -c \'import socket, time; s = socket.socket(); s.bind(("127.0.0.1", 0)); s.listen(); ' +
  'print("Local: http://localhost:%d/ ready" % s.getsockname()[1], flush=True); time.sleep(600)\'';

/** The arguments of every agent's tool for subagents. */
export const SUBTASK = {
  description: "sub work",
  prompt: "[[text]] sub task",
  subagent_type: "general-purpose",
  agent_name: "generalist",
  message: "[[text]] sub task",
  run_in_background: false,
  agent: "task",
  task: "[[text]] sub task",
  await: true,
};

export const SUBAGENT_TOOLS = ["spawn_subagent", "Agent", "Task", "task", "spawn_agent", "invoke_agent"];

/** One question, in the field names of all agents' tools. */
export const QUESTION = {
  question: "Which colour?",
  options: ["Red", "Blue"],
  questionnaire: "1. [question] Which colour?\n[topic] Colour\n[option] Red\n[option] Blue",
  questions: [
    {
      id: "q1",
      question: "Which colour?",
      header: "Colour",
      multiSelect: false,
      type: "choice",
      options: [
        { label: "Red", description: "warm" },
        { label: "Blue", description: "cold" },
      ],
    },
  ],
};

/** Two steps, in the field names of all agents' tools. */
export const TODO = {
  todos: [
    {
      content: "step A",
      title: "step A",
      status: "in_progress",
      activeForm: "Doing step A",
      priority: "high",
      id: "1",
    },
    { content: "step B", title: "step B", status: "pending", activeForm: "Doing step B", priority: "low", id: "2" },
  ],
  plan: [
    { step: "step A", status: "in_progress" },
    { step: "step B", status: "pending" },
  ],
  tasks: [
    { name: "step A", title: "step A", description: "do step A", state: "IN_PROGRESS" },
    { name: "step B", title: "step B", description: "do step B" },
  ],
  subject: "step A",
  description: "do step A",
  op: "init",
  list: [{ phase: "Work", items: ["step A", "step B"] }],
};

export const TODO_TOOLS =
  "TodoWrite todowrite todo_write write_todos update_plan TaskCreate todo TodoList add_tasks write_tasks".split(" ");
