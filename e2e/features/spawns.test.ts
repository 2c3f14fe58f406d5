import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Session } from "@gantry/protocol";
import { needs } from "@gantry/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { Bench } from "../harness/bench.ts";
import { eventually } from "../harness/wait.ts";
import { areInstalled, newestTarget, VENDOR_BINARIES } from "../targets/installed-agents.ts";

const TIMEOUT_MS = 300_000;

let bench: Bench | undefined;
afterEach(async () => {
  await bench?.close();
  bench = undefined;
});

/** What the agent's shell runs: `"$GANTRY_BIN" …`, with everything it prints and its exit status left in files. */
const gantry = (name: string, command: string) =>
  `"$GANTRY_BIN" ${command} >${name}.out 2>${name}.err; echo $? >${name}.status\n`;

/** Below full-auto Codex lets commands have no network: they are then kept from more by the sandbox, and not by us. */
describe.each([
  { agent: "claude", reaches: true },
  { agent: "codex", reaches: false },
])("$agent, the vendor's own program", ({ agent, reaches }) => {
  test.skipIf(!areInstalled(agent))(
    "begins a session, is woken by its end, and cannot give it more permission than it has",
    { ...needs(VENDOR_BINARIES), timeout: TIMEOUT_MS },
    async () => {
      bench = await Bench.open(newestTarget(agent));
      const { folder, client } = bench;
      const file = (name: string) => readFileSync(join(folder, name), "utf8").trim();
      writeFileSync(
        join(folder, "spawn.sh"),
        gantry("child", `run --detach --json -a ${agent} --mode plan -t Orchard "[[say:the plums are ripe]] look"`) +
          gantry("list", "ls --json") +
          gantry("inbox", "inbox") +
          gantry("stop", "stop"),
      );
      const talk = await bench.session({ mode: "full-auto" });
      await talk.send("[[script:spawn.sh]] go");
      await talk.ended(1);
      expect([file("child.status"), file("child.err")], file("child.err")).toEqual(["0", ""]);
      const child = JSON.parse(file("child.out")) as Session;
      expect(child).toMatchObject({ parent: talk.id, mode: "plan", cwd: folder, spawn: { root: talk.id, depth: 1 } });

      const end = await talk.ended(2);
      expect(end.data.outcome).toBe("completed");
      const woken = talk.of("message.user").at(-1)?.data;
      expect(woken?.author).toBe(`session:${child.id}`);
      const heard = bench.asked().filter((request) => request.includes("has ended its turn: completed"));
      expect(heard.at(-1)).toContain("the plums are ripe");
      expect(talk.of("turn.started")).toHaveLength(2);

      const ids = (JSON.parse(file("list.out")) as { sessions: Session[] }).sessions.map(({ id }) => id);
      expect(ids.sort()).toEqual([talk.id, child.id].sort());
      for (const name of ["inbox", "stop"]) {
        expect(file(`${name}.status`)).toBe("2");
        expect(file(`${name}.err`)).toContain("An agent may not do this");
      }
      expect((await client.health()).ok).toBe(true);

      await client.sessions.patch(talk.id, { mode: "auto-edit" });
      writeFileSync(
        join(folder, "more.sh"),
        gantry("more", `run --detach -a ${agent} --mode full-auto "[[text]] x"`) +
          `curl -s -o refused.json -w '%{http_code}' -H "authorization: Bearer $GANTRY_TOKEN" -H 'content-type: application/json' ` +
          `-d '{"agent":"${agent}","mode":"full-auto"}' "$GANTRY_URL/v1/sessions" >refused.status\n`,
      );
      await talk.send("[[script:more.sh]] go");
      await eventually("the refusal", async () => {
        const [input] = (await talk.view()).inputs;
        if (input) await talk.answer(input, { decision: "allow" }).catch(() => undefined);
        return existsSync(join(folder, "refused.status")) && file("refused.status") !== "";
      });
      await talk.ended(3);
      const words = reaches ? "A session may not have more permission than the one that started it" : "does not answer";
      expect(file("more.err")).toContain(words);
      expect([file("more.status"), file("refused.status")]).toEqual(reaches ? ["2", "403"] : ["3", "000"]);
      expect((await client.sessions.list()).sessions).toHaveLength(2);
      expect(JSON.stringify(talk.events)).not.toMatch(/gss_[A-Za-z0-9_-]{43}/);
    },
  );
});
