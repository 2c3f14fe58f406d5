import { join } from "node:path";
import type { InputRequest } from "@gantry/protocol";
import { beforeEach, expect, test } from "vitest";
import type { Bench } from "../harness/bench.ts";
import type { Conversation } from "../harness/conversation.ts";
import { openBench } from "../harness/open-bench.ts";
import { eventually } from "../harness/wait.ts";
import { gantryTargets } from "../targets/gantry.ts";
import {
  callsInFile,
  FIXED_ONCE,
  findRepeatedCalls,
  findRequestFaults,
  sessionFile,
  TaskRepository,
  taskEnvironment,
} from "./task.ts";

type Victim = "agent" | "daemon" | "agent and daemon";
/** `hold`: the command to hold after its approval, so that it still runs when the step is reached. */
type Place = { reached(asked: InputRequest | undefined): boolean; hold?: RegExp };

let bench: Bench;
let repository: TaskRepository;
beforeEach(async () => {
  const [target] = gantryTargets;
  if (!target) throw new Error("there is no target");
  const settings = { edit: { mode: "replace" }, secrets: { enabled: true } };
  const agentConfig = { gantry: { file: "gantry-agent/config.yml", settings } };
  bench = await openBench(target, { agentConfig, env: { ...taskEnvironment } });
  repository = new TaskRepository(bench.folder);
});

const PLACES: readonly Place[] = [
  { reached: (asked) => asked?.tool?.name === "edit" },
  { hold: /node --test/, reached: () => repository.isHeld("tests") },
  // The answer before the second edit takes seconds; a client that reconnects may see its text only in full.
  { reached: () => bench.model.requests().some(({ step }) => step === 4) },
  { reached: (asked) => /git commit/.test(asked?.tool?.command ?? "") },
  { hold: /git commit/, reached: () => repository.isHeld("commit") },
];

/** Kills the victim with SIGKILL, and sends a message that continues the task if the agent was killed. */
async function kill(victim: Victim, conversation: Conversation): Promise<void> {
  const killAgent = () => {
    for (const pid of bench.agents()) process.kill(pid, "SIGKILL");
  };
  const turns = conversation.of("turn.ended").length;
  if (victim === "agent") killAgent();
  else await bench.restart(async () => (victim === "daemon" ? undefined : killAgent()));
  repository.release();
  if (victim === "daemon") return;
  const end = await conversation.waitForEnd(turns + 1);
  expect(end.data).toMatchObject({ outcome: "failed", error: { category: "crashed" } });
  await conversation.send("continue");
}

async function perform(victim: Victim): Promise<Conversation> {
  const conversation = await bench.session({ mode: "ask", prompt: "[[repair]] sum is wrong; fix and commit it" });
  const left = [...PLACES];
  const answered = new Set<string>();
  for (;;) {
    const place = left[0];
    const seen = await conversation.until("the next request, step or end", () => {
      const resolved = new Set(conversation.of("input.resolved").map(({ data }) => data.id));
      const asked = conversation
        .of("input.requested")
        .map(({ data }) => data)
        .find(({ id }) => !answered.has(id) && !resolved.has(id));
      if (place?.reached(asked)) return { place };
      if (asked) return { asked };
      return conversation.of("turn.ended").at(-1)?.data.outcome === "completed" ? {} : undefined;
    });
    if (seen.asked) {
      if (place?.hold?.test(seen.asked.tool?.command ?? "")) repository.hold();
      answered.add(seen.asked.id);
      await conversation.answer(seen.asked, { decision: "allow" });
    } else if (seen.place) {
      left.shift();
      await kill(victim, conversation);
    } else break;
  }
  expect(left).toEqual([]);
  return conversation;
}

test.each(["agent", "daemon", "agent and daemon"] as const)(
  "the task in a session has the same outcome if the %s is killed at every step",
  async (victim) => {
    const conversation = await perform(victim);
    expect(repository.outcome()).toEqual(FIXED_ONCE);
    const { handles } = await conversation.view();
    const file = sessionFile(join(bench.home, "gantry-agent"), handles.gantry ?? "");
    const calls = await eventually("a complete file", () => callsInFile(file));
    expect(findRepeatedCalls(calls)).toEqual([]);
    expect(findRequestFaults(bench.model)).toEqual([]);
    expect(await bench.client.inbox()).toEqual([]);
    expect(await conversation.findBreaches(false)).toEqual([]);
    // The agent itself was not killed, so it repeated no call.
    if (victim === "daemon") expect(calls).toHaveLength(7);
  },
);
