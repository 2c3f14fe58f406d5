import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { describe, expect, test } from "vitest";
import { openBench } from "../harness/open-bench.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 300_000;

/** A shell line that runs `"$GANTRY_BIN" …` and writes its output and exit status to files. */
const gantry = (name: string, command: string) =>
  `"$GANTRY_BIN" ${command} >${name}.out 2>${name}.err; echo $? >${name}.status\n`;

test.skipIf(!areInstalled("claude"))(
  "Claude Code, the vendor's program, answers its worker by command only after a person made it a lead",
  { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
  async () => {
    const bench = await openBench(newestTarget("claude"));
    const { folder, client } = bench;
    const file = (name: string) => readFileSync(join(folder, name), "utf8").trim();
    const conversation = await bench.session({ mode: "full-auto" });
    const start = gantry("worker", 'run --detach --json -a claude --mode ask "[[write]] go"');
    writeFileSync(join(folder, "start.sh"), start);
    await conversation.runTurn("[[script:start.sh]] go");
    const { id } = JSON.parse(file("worker.out")) as Session;
    await eventually("the question of the worker", async () => (await client.sessions.get(id)).inputs.length > 0);
    const { inputs } = await client.sessions.get(id);
    const answer = gantry("inbox", "inbox --json") + gantry("allow", `allow ${inputs[0]?.id}`);
    writeFileSync(join(folder, "answer.sh"), answer);
    await conversation.runTurn("[[script:answer.sh]] go");
    expect([file("inbox.status"), file("allow.status")]).toEqual(["2", "2"]);
    expect(file("allow.err")).toContain("is not a lead");

    await client.sessions.patch(conversation.id, { lead: true });
    await conversation.runTurn("[[script:answer.sh]] again");
    expect([file("inbox.status"), file("allow.status")], file("allow.err")).toEqual(["0", "0"]);
    expect(file("inbox.out")).toContain(inputs[0]?.id);
    const worker = await bench.follow(id);
    await worker.waitForEnd(1);
    expect(worker.of("input.resolved")[0]?.data).toMatchObject({ decision: "allow", by: `session:${conversation.id}` });
  },
);

/** Below full-auto, Codex blocks the network for commands, so its sandbox refuses the call before Gantry can. */
describe.each([
  { agent: "claude", reaches: true },
  { agent: "codex", reaches: false },
])("$agent, the vendor's program", ({ agent, reaches }) => {
  test.skipIf(!areInstalled(agent))(
    "starts a session, is woken when it ends, and cannot give it more permission than it has",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      const bench = await openBench(newestTarget(agent));
      const { folder, client } = bench;
      const file = (name: string) => readFileSync(join(folder, name), "utf8").trim();
      const prompt = "[[say:the plums are ripe]] look"; // prose-ignore: a marker
      writeFileSync(
        join(folder, "spawn.sh"),
        gantry("child", `run --detach --json -a ${agent} --mode plan -t Orchard "${prompt}"`) +
          gantry("list", "ls --json") +
          gantry("inbox", "inbox") +
          gantry("stop", "stop"),
      );
      const conversation = await bench.session({ mode: "full-auto" });
      await conversation.send("[[script:spawn.sh]] go");
      await conversation.waitForEnd(1);
      expect([file("child.status"), file("child.err")], file("child.err")).toEqual(["0", ""]);
      const child = JSON.parse(file("child.out")) as Session;
      expect(child).toMatchObject({
        parent: conversation.id,
        mode: "plan",
        cwd: folder,
        spawn: { root: conversation.id, depth: 1 },
      });

      const end = await conversation.waitForEnd(2);
      expect(end.data.outcome).toBe("completed");
      const woken = conversation.of("message.user").at(-1)?.data;
      expect(woken?.author).toBe(`session:${child.id}`);
      const requests = bench.modelRequests().filter((request) => request.includes("has ended its turn: completed"));
      expect(requests.at(-1)).toContain("the plums are ripe");
      expect(conversation.of("turn.started")).toHaveLength(2);

      const ids = (JSON.parse(file("list.out")) as { sessions: Session[] }).sessions.map(({ id }) => id);
      expect(ids.sort()).toEqual([conversation.id, child.id].sort());
      for (const name of ["inbox", "stop"]) {
        expect(file(`${name}.status`)).toBe("2");
        const refusal = name === "inbox" ? "is not a lead" : "The token of a session does not permit this call";
        expect(file(`${name}.err`)).toContain(refusal);
      }
      expect((await client.health()).ok).toBe(true);

      await client.sessions.patch(conversation.id, { mode: "auto-edit" });
      writeFileSync(
        join(folder, "more.sh"),
        gantry("more", `run --detach -a ${agent} --mode full-auto "[[text]] x"`) +
          `curl -s -o refused.json -w '%{http_code}' -H "authorization: Bearer $GANTRY_TOKEN" -H 'content-type: application/json' ` +
          `-d '{"agent":"${agent}","mode":"full-auto"}' "$GANTRY_URL/v1/sessions" >refused.status\n`,
      );
      await conversation.send("[[script:more.sh]] go");
      await eventually("the refusal", async () => {
        const [input] = (await conversation.view()).inputs;
        if (input) await conversation.answer(input, { decision: "allow" }).catch(() => undefined);
        return existsSync(join(folder, "refused.status")) && file("refused.status") !== "";
      });
      await conversation.waitForEnd(3);
      const message = reaches
        ? "A session may not have more permission than the one that started it"
        : "does not answer";
      expect(file("more.err")).toContain(message);
      expect([file("more.status"), file("refused.status")]).toEqual(reaches ? ["2", "403"] : ["3", "000"]);
      expect((await client.sessions.list()).sessions).toHaveLength(2);
      expect(JSON.stringify(conversation.events)).not.toMatch(/gss_[A-Za-z0-9_-]{43}/);
    },
  );
});
