import { join } from "node:path";
import type { InputRequest } from "@gantry/protocol";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Bench } from "../harness/bench.ts";
import type { Conversation } from "../harness/conversation.ts";
import { eventually } from "../harness/wait.ts";
import { gantryTargets } from "../targets/gantry.ts";
import {
  callsInFile,
  MENDED_ONCE,
  repeatedSilently,
  sessionFile,
  TaskRepository,
  taskEnvironment,
  viewFaults,
} from "./task.ts";

type Victim = "agent" | "daemon" | "agent and daemon";
/** `hold`: what is to be held up once this was asked for, so that it still runs at the place. */
type Place = { reached(asked: InputRequest | undefined): boolean; hold?: RegExp };

let bench: Bench;
let repository: TaskRepository;
beforeEach(async () => {
  const [target] = gantryTargets;
  if (!target) throw new Error("there is no target");
  const settings = { edit: { mode: "replace" }, secrets: { enabled: true } };
  const agentConfig = { gantry: { file: "gantry-agent/config.yml", settings } };
  bench = await Bench.open(target, { agentConfig, env: { ...taskEnvironment } });
  repository = new TaskRepository(bench.folder);
});
afterEach(async () => expect(await bench.close()).toEqual([]));

const PLACES: readonly Place[] = [
  { reached: (asked) => asked?.tool?.name === "edit" },
  { hold: /node --test/, reached: () => repository.holds("tests") },
  // The answer before the second edit takes seconds; a client that comes back may see its words only as a whole.
  { reached: () => bench.model.requests().some(({ step }) => step === 4) },
  { reached: (asked) => /git commit/.test(asked?.tool?.command ?? "") },
  { hold: /git commit/, reached: () => repository.holds("commit") },
];

/** Ends whom it is to end without a word, and says it to the agent where that was one of them. */
async function strike(victim: Victim, talk: Conversation): Promise<void> {
  const killAgent = () => {
    for (const pid of bench.agents()) process.kill(pid, "SIGKILL");
  };
  const turns = talk.of("turn.ended").length;
  if (victim === "agent") killAgent();
  else await bench.restart(async () => (victim === "daemon" ? undefined : killAgent()));
  repository.letGo();
  if (victim === "daemon") return;
  const end = await talk.ended(turns + 1);
  expect(end.data).toMatchObject({ outcome: "failed", error: { category: "crashed" } });
  await talk.send("go on");
}

async function perform(victim: Victim): Promise<Conversation> {
  const talk = await bench.session({ mode: "ask", prompt: "[[repair]] sum is wrong; mend and commit it" });
  const left = [...PLACES];
  const answered = new Set<string>();
  for (;;) {
    const place = left[0];
    const seen = await talk.until("the next thing", () => {
      const resolved = new Set(talk.of("input.resolved").map(({ data }) => data.id));
      const asked = talk
        .of("input.requested")
        .map(({ data }) => data)
        .find(({ id }) => !answered.has(id) && !resolved.has(id));
      if (place?.reached(asked)) return { place };
      if (asked) return { asked };
      return talk.of("turn.ended").at(-1)?.data.outcome === "completed" ? {} : undefined;
    });
    if (seen.asked) {
      if (place?.hold?.test(seen.asked.tool?.command ?? "")) repository.hold();
      answered.add(seen.asked.id);
      await talk.answer(seen.asked, { decision: "allow" });
    } else if (seen.place) {
      left.shift();
      await strike(victim, talk);
    } else break;
  }
  expect(left).toEqual([]);
  return talk;
}

test.each(["agent", "daemon", "agent and daemon"] as const)(
  "through the daemon: the %s killed at every place, the task ends the same",
  async (victim) => {
    const talk = await perform(victim);
    expect(repository.outcome()).toEqual(MENDED_ONCE);
    const { handles } = await talk.view();
    const file = sessionFile(join(bench.home, "gantry-agent"), handles.gantry ?? "");
    const calls = await eventually("a whole file", () => callsInFile(file));
    expect(repeatedSilently(calls)).toEqual([]);
    expect(viewFaults(bench.model)).toEqual([]);
    expect(await bench.client.inbox()).toEqual([]);
    expect(await talk.breaches(false)).toEqual([]);
    // Without a death of its own the agent has lost nothing.
    if (victim === "daemon") expect(calls).toHaveLength(7);
  },
);
