import type { Envelope, Session } from "@gantry/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { TestDaemon } from "../test-daemon.ts";

/** One try per hour, so that sessions resume only when the test makes them. */
const PATIENT = "limits: { backoffSeconds: [3600], jitterSeconds: 0, staggerSeconds: 0 }\n";
const QUICK = "limits: { backoffSeconds: [0.3, 0.6], jitterSeconds: 0, staggerSeconds: 0 }\n";

let daemon: TestDaemon;
afterEach(() => daemon.dispose());

async function start(config: string): Promise<void> {
  daemon = await new TestDaemon({ config }).start();
}
const untilHeld = (id: string) => daemon.waitUntil(id, ({ state, queue }) => state === "limited" && queue.length > 0);
/** With an end, so that a message of a person is held. Without one it would be the probe. */
const REFUSE = "[[refuse:rate_limit:Try again in 3600s.]]";
const startRefused = async (prompt = REFUSE) => untilHeld((await daemon.session("scripted", prompt)).id);
const limits = () => daemon.client.call("listLimits").then((answer) => answer.limits);
const types = (events: readonly Envelope[]) => events.map(({ type }) => type);

/**
 * Edits the refused message so that the agent answers it. A message can be edited only while it is queued, and a probe
 * may have started its turn, so this retries until the session is held again.
 */
async function makeAnswerable({ id }: Pick<Session, "id">, text = "[[text]] hello"): Promise<void> {
  for (let tries = 0; ; tries++) {
    const { queue } = await untilHeld(id);
    try {
      await daemon.client.sessions.editMessage(id, queue[0]?.message ?? "", { text });
      return;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

describe("a refused turn", () => {
  it("ends as failed, and its message waits at the head of the queue, once", async () => {
    await start(PATIENT);
    const { id } = await startRefused();
    await daemon.client.sessions.send(id, { text: "second" });
    const session = await daemon.client.sessions.get(id);
    expect(session.queue.map(({ text }) => text)).toEqual([REFUSE, "second"]);
    expect(session.lastTurn).toMatchObject({ outcome: "failed", error: { category: "rate_limit" } });
    expect(session.limit).toMatchObject({
      provider: "scripted",
      source: "failure",
      autoResume: true,
      limit: "lim_scripted",
    });
    expect(Date.parse(session.limit?.nextTryAt ?? "") - Date.now()).toBeGreaterThan(3_000_000);
    const log = await daemon.log(id);
    expect(log.filter(({ type }) => type === "message.user")).toHaveLength(2);
    expect(types(log).filter((type) => type.startsWith("turn"))).toEqual(["turn.started", "turn.ended"]);
  });

  it("holds every session of the account", async () => {
    await start(PATIENT);
    const first = await startRefused();
    const others = await Promise.all([1, 2, 3].map((n) => daemon.session("scripted", `[[text]] other ${n}`)));
    for (const { id, state } of others) {
      expect(state).toBe("limited");
      expect(types(await daemon.log(id))).not.toContain("turn.started");
    }
    const [limit, ...more] = await limits();
    expect(more).toEqual([]);
    expect(limit).toMatchObject({
      id: "lim_scripted",
      state: "open",
      sessions: [first.id, ...others.map(({ id }) => id)],
    });
    // Another account is not held up.
    const free = await daemon.client.sessions.create({
      agent: "scripted",
      cwd: daemon.cwd,
      env: { MY_API_KEY: "k" },
      prompt: "[[text]] hi",
    });
    await daemon.waitForIdle(free.id);
  });

  it("is not repeated if it had effects; it continues only where the user allows it", async () => {
    await start(PATIENT);
    const { id } = await daemon.session("scripted", "[[error:rate_limit]]");
    await daemon.waitUntil(id, ({ lastTurn }) => lastTurn?.outcome === "failed");
    expect((await daemon.client.sessions.get(id)).queue).toEqual([]);
    expect(await limits()).toHaveLength(1);
    await daemon.client.settings.change({ "limits.goOn": true });
    await daemon.client.call("resumeLimit", { params: { id: "lim_scripted" } });
    const next = await daemon.session("scripted", "[[error:rate_limit]]");
    const { queue } = await daemon.waitUntil(next.id, ({ queue }) => queue.length > 0);
    expect(queue.map(({ text }) => text)).toEqual(["Continue."]);
  });

  it("is an ordinary failure where limits are not tracked", async () => {
    await start("limits: { enabled: false }\n");
    const { id } = await daemon.session("scripted", "[[refuse:quota]]");
    const session = await daemon.waitForIdle(id);
    expect(session).toMatchObject({ queue: [], lastTurn: { outcome: "failed", error: { category: "quota" } } });
    expect(await limits()).toEqual([]);
  });

  it("leaves the session idle when its message is removed from the queue", async () => {
    await start(PATIENT);
    const session = await startRefused();
    await daemon.client.sessions.cancelMessage(session.id, session.queue[0]?.message ?? "");
    // It still waits for the limit, which its next message would meet.
    await daemon.client.call("resumeLimit", { params: { id: "lim_scripted" } });
    await daemon.waitUntil(session.id, ({ state }) => state === "idle");
  });
});

describe("the end of a limit", () => {
  it("is probed by one session, and the others follow when it succeeds", async () => {
    await start(PATIENT);
    const first = await startRefused();
    const others = await Promise.all([1, 2, 3].map((n) => daemon.session("scripted", `[[text]] other ${n}`)));
    await makeAnswerable(first, "[[hang]]");
    const { tried } = await daemon.client.call("resumeLimit", { params: { id: "lim_scripted" } });
    expect(tried).toBe(first.id);
    await daemon.waitUntil(first.id, ({ state }) => state === "running");
    expect(await limits()).toMatchObject([{ state: "half_open" }]);
    for (const { id } of others) expect(await daemon.client.sessions.get(id)).toMatchObject({ state: "limited" });
    // A probe that is stopped has decided nothing.
    await daemon.client.sessions.interrupt(first.id);
    await daemon.waitForIdle(first.id);
    expect(await limits()).toMatchObject([{ state: "open" }]);
    await daemon.client.call("resumeSession", { params: { id: others[1]?.id ?? "" } });
    for (const { id } of others) await daemon.waitForIdle(id);
    expect(await limits()).toEqual([]);
    for (const { id } of others) {
      const log = types(await daemon.log(id));
      expect(log.filter((type) => type === "turn.started")).toHaveLength(1);
      expect(log.indexOf("limit.cleared")).toBeGreaterThan(log.indexOf("limit.reached"));
    }
  });

  it("is probed automatically with increasing delays, by one session at a time", async () => {
    await start(QUICK);
    const first = await startRefused("[[refuse]]");
    await daemon.waitUntil(first.id, ({ turns }) => turns >= 3);
    const log = (await daemon.log(first.id)).filter(({ type }) => type === "turn.started");
    const gaps = log.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(log[index]?.at ?? ""));
    expect(gaps[0]).toBeGreaterThanOrEqual(300);
    expect(gaps[1]).toBeGreaterThanOrEqual(600);
    await makeAnswerable(first);
    await daemon.waitForIdle(first.id);
  });

  it("does not resume a session with automatic resume off until it is switched on", async () => {
    // The limit ends only on request: with a short back-off a probe may run before the setting is changed.
    await start(PATIENT);
    const first = await startRefused();
    const stays = await daemon.session("scripted", "[[text]] stay");
    const { session } = await daemon.client.sessions.patch(stays.id, { autoResume: false });
    expect(session).toMatchObject({ autoResume: false, limit: { autoResume: false } });
    await makeAnswerable(first);
    await daemon.client.call("resumeLimit", { params: { id: "lim_scripted" } });
    await daemon.waitForIdle(first.id);
    expect(await limits()).toEqual([]);
    expect(await daemon.client.sessions.get(stays.id)).toMatchObject({ state: "limited" });
    await daemon.client.sessions.patch(stays.id, { autoResume: true });
    expect((await daemon.waitForIdle(stays.id)).lastTurn?.outcome).toBe("completed");
  });

  it("resumes no session while automatic resume is off, and all when it is switched on", async () => {
    await start("limits: { autoResume: false, backoffSeconds: [0.05], staggerSeconds: 0 }\n");
    const first = await startRefused("[[refuse]]");
    await makeAnswerable(first);
    expect(await limits()).toMatchObject([{ autoResume: false, sessions: [first.id] }]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await daemon.client.sessions.get(first.id)).toMatchObject({ turns: 1, limit: { autoResume: false } });
    await daemon.client.call("patchLimit", { params: { id: "lim_scripted" }, body: { autoResume: true } });
    await daemon.waitForIdle(first.id);
    expect(await limits()).toEqual([]);
  });
});

describe("a message of a person", () => {
  it("is the probe while no end of the limit is known, and its success releases the others", async () => {
    await start(PATIENT);
    const first = await startRefused("[[refuse]]");
    await makeAnswerable(first);
    const next = await daemon.session("scripted", "[[text]] try this");
    expect(next.state).toBe("running");
    for (const { id } of [first, next]) await daemon.waitForIdle(id);
    expect(await limits()).toEqual([]);
  });

  it("sends the message that waits in the same session first", async () => {
    await start("limits: { autoResume: false, backoffSeconds: [3600] }\n");
    const first = await startRefused("[[refuse]]");
    await makeAnswerable(first, "[[text]] one");
    await daemon.client.sessions.send(first.id, { text: "[[text]] two" });
    await daemon.waitUntil(first.id, ({ turns, state }) => turns === 3 && state === "idle");
  });
});

describe("an overloaded provider", () => {
  it("holds the sessions of the account for a short time and is retried automatically", async () => {
    await start("limits: { backoffSeconds: [3600], overloadSeconds: [0.3], staggerSeconds: 0 }\n");
    const { id } = await daemon.session("scripted", "[[refuse:overloaded:overloaded_error]]");
    const held = await daemon.waitUntil(id, ({ turns, limit }) => turns >= 2 && limit !== undefined);
    expect(held.limit?.text).toBe("The provider is overloaded. The account has reached no limit.");
    await makeAnswerable({ id });
    await daemon.waitForIdle(id);
    expect(await limits()).toEqual([]);
  });
});

describe("profiles", () => {
  const profile = (id: string, env: string) =>
    daemon.client.call("putProfile", {
      params: { id },
      body: { text: `id: ${id}\nextends: scripted\nenv: { ${env} }\n` },
    });

  it("hold each other only if they have the same key", async () => {
    await start(PATIENT);
    await profile("one", "MY_API_KEY: k1");
    await profile("two", "OTHER_API_KEY: k1");
    await profile("three", "MY_API_KEY: k3");
    await untilHeld((await daemon.session("one", REFUSE)).id);
    expect((await daemon.session("two", "[[text]] held")).state).toBe("limited");
    for (const agent of ["three", "scripted"])
      await daemon.waitForIdle((await daemon.session(agent, "[[text]] free")).id);
    const [row] = await limits();
    expect(row?.account).toMatch(/^MY_API_KEY of the profile one/);
    expect(JSON.stringify(row)).not.toContain("k1");
  });
});

describe("after a restart", () => {
  it("resumes waiting sessions when their time comes", async () => {
    await start(PATIENT);
    const first = await startRefused();
    await makeAnswerable(first);
    const other = await daemon.session("scripted", "[[text]] other");
    const [before] = await limits();
    await daemon.stop();
    await daemon.start();
    expect(await limits()).toEqual([before]);
    expect((await daemon.session("scripted", "[[text]] another")).state).toBe("limited");
    await daemon.client.call("resumeLimit", { params: { id: "lim_scripted" } });
    for (const { id } of [first, other]) await daemon.waitForIdle(id);
    expect(await limits()).toEqual([]);
  });

  it("resumes a session whose limit is no longer known", async () => {
    await start(PATIENT);
    const first = await startRefused();
    await makeAnswerable(first);
    await daemon.stop();
    await daemon.start("limits: { enabled: false }\n");
    await daemon.waitForIdle(first.id);
  });
});

describe("a handoff rule", () => {
  it("hands a waiting session with its message to another agent, and never to a limited one", async () => {
    await start(PATIENT);
    const held = await startRefused();
    await makeAnswerable(held);
    await daemon.stop();
    await daemon.start(
      "limits: { backoffSeconds: [3600], handoff: [{ from: scripted, to: codex }, { from: codex, to: scripted }] }\n",
    );
    const { id } = held;
    const session = await daemon.waitUntil(id, ({ agent, state }) => agent === "codex" && state === "idle");
    expect(session).toMatchObject({ queue: [], lastTurn: { outcome: "completed" } });
    expect(session.limit).toBeUndefined();
    expect(await limits()).toMatchObject([{ provider: "scripted", sessions: [] }]);
    // The other one is refused as well: it cannot go back.
    const other = await daemon.session("codex", "[[refuse]]");
    expect(await daemon.waitUntil(other.id, ({ state }) => state === "limited")).toMatchObject({ agent: "codex" });
  });
});

describe("budgets", () => {
  it("of a session hold a turn with a remedy, and raising them resumes it", async () => {
    await start("");
    const { id } = await daemon.client.sessions.create({ agent: "claude", cwd: daemon.cwd, prompt: "[[text]] one" });
    const { cost } = await daemon.waitForIdle(id);
    expect(cost?.usd).toBeGreaterThan(0);
    const usd = cost?.usd ?? 0;
    await daemon.client.sessions.patch(id, { budget: { usd } });
    const sent = await daemon.client.sessions.send(id, { text: "[[text]] two" });
    expect(sent.disposition).toBe("queued");
    const held = await daemon.client.sessions.get(id);
    expect(held).toMatchObject({ state: "limited", turns: 1, budget: { usd } });
    expect(held.limit).toMatchObject({ provider: "gantry", source: "budget", window: "session" });
    expect(held.limit?.text).toMatch(/has used \$.* of its budget of \$.*\. Raise its budget/);
    expect(await limits()).toMatchObject([{ id: `lim_budget-${id}`, source: "budget", sessions: [id] }]);
    await expect(daemon.client.limits.resume(`lim_budget-${id}`)).rejects.toMatchObject({ code: "conflict" });
    await expect(daemon.client.limits.resumeSession(id)).rejects.toMatchObject({ code: "conflict" });
    await daemon.client.sessions.patch(id, { budget: { usd: usd * 10 } });
    expect(await daemon.waitForIdle(id)).toMatchObject({ turns: 2, lastTurn: { outcome: "completed" } });
    expect(await limits()).toEqual([]);
  });

  it("warn once at four fifths", async () => {
    await start("budgets: { sessionUsd: 0.007 }\n");
    const { id } = await daemon.client.sessions.create({ agent: "claude", cwd: daemon.cwd, prompt: "[[text]] one" });
    await daemon.waitForIdle(id);
    await daemon.client.sessions.send(id, { text: "[[text]] again" });
    await daemon.waitUntil(id, ({ turns, state }) => turns === 2 && state === "idle");
    const warnings = (await daemon.log(id)).filter((event) => event.type === "notice" && event.data.kind === "budget");
    expect(warnings).toMatchObject([{ data: { text: "The session has used $0.0060 of its budget of $0.0070." } }]);
  });

  it("of the day hold all sessions until they are raised", async () => {
    await start("");
    const first = await daemon.client.sessions.create({ agent: "claude", cwd: daemon.cwd, prompt: "[[text]] one" });
    const usd = (await daemon.waitForIdle(first.id)).cost?.usd ?? 0;
    await daemon.client.settings.change({ "budgets.dayUsd": usd });
    const other = await daemon.session("scripted", "[[text]] other");
    expect(other).toMatchObject({ state: "limited", limit: { source: "budget", window: "day" } });
    const [row] = await limits();
    expect(row).toMatchObject({ id: "lim_budget-day", window: "day", sessions: [other.id] });
    const midnight = new Date(row?.resetsAt ?? "");
    expect([midnight.getHours(), midnight.getMinutes(), midnight > new Date()]).toEqual([0, 0, true]);
    await daemon.stop();
    await daemon.start();
    expect(await limits()).toMatchObject([{ id: "lim_budget-day" }]);
    await daemon.client.settings.change({ "budgets.dayUsd": null });
    await daemon.waitForIdle(other.id);
  });
});

describe("invalid calls", () => {
  it("change nothing and report why", async () => {
    await start(PATIENT);
    const call = (id: string) => daemon.client.call("resumeLimit", { params: { id } });
    await expect(call("lim_none")).rejects.toMatchObject({ code: "no_such_limit", status: 404 });
    const { id } = await daemon.session("scripted", "[[text]] hello");
    await expect(daemon.client.call("resumeSession", { params: { id } })).resolves.toMatchObject({ id });
    await expect(daemon.client.call("resumeSession", { params: { id: "ses_x" } })).rejects.toMatchObject({
      status: 404,
    });
    await expect(daemon.client.sessions.patch(id, { budget: { usd: -1 } })).rejects.toMatchObject({ code: "invalid" });
  });
});
