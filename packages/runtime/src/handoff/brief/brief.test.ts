import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Draft, draft, type Envelope, EnvelopeSchema } from "@gantry/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { builtInAgents } from "../../agents/registry.ts";
import { decodeRecording, recognise } from "../../recording/recording.ts";
import { type BriefOptions, makeBrief, receiptsIn } from "./brief.ts";
import { Facts } from "./facts.ts";
import { findUnsourcedLines, findWrongSources } from "./testing/held.ts";

const LIMIT = 24_000;
const TITLES = [
  "Goal",
  "Decisions",
  "Files touched",
  "Commands",
  "Open to-dos",
  "Pending questions",
  "Last answer",
  "Next step",
  "Where",
];

function briefOf(events: readonly Envelope[], options: Partial<BriefOptions> = {}) {
  const facts = new Facts();
  for (const event of events) facts.take(event);
  return makeBrief(facts, { limit: LIMIT, ...options });
}

function logOf(...drafts: Draft[]): Envelope[] {
  const created = draft("session.created", {
    agent: "a",
    mode: "ask",
    cwd: "/work/project",
    title: "T",
    origin: "test",
  }) as Draft;
  return [created, ...drafts].map((one, index) => ({
    v: 1,
    session: "ses_1",
    seq: index + 1,
    at: "2026-01-01T00:00:00.000Z",
    ...one,
  })) as Envelope[];
}

const user = (message: string, text: string, more: object = {}) =>
  draft("message.user", { message: `msg_${message}`, text, ...more }) as Draft;
const delivery = (message: string, state: "queued" | "inline" | "cancelled" | "edited", text?: string) =>
  draft("message.delivery", { message: `msg_${message}`, state, text }) as Draft;
const tool = (id: string, kind: "execute" | "edit", more: object) =>
  draft("tool.started", { item: `itm_${id}`, name: "tool", kind, title: "a tool", ...more }) as Draft;
const toolEnd = (id: string, more: object = {}) =>
  draft("tool.ended", { item: `itm_${id}`, status: "ok", ...more }) as Draft;
const asks = (id: string, more: object) =>
  draft("input.requested", {
    id: `inp_${id}`,
    session: "ses_1",
    kind: "approval",
    title: "Run it?",
    ...more,
  }) as unknown as Draft;
const answers = (id: string, more: object) =>
  draft("input.resolved", { id: `inp_${id}`, decision: "allow", by: "user", ...more }) as Draft;

function section(text: string, title: string): string[] {
  const [, rest = ""] = text.split(`## ${title}\n\n`);
  return (rest.split("\n\n## ")[0] ?? "").split("\n");
}

describe("a brief", () => {
  it("has its sections in a fixed order, also for an empty log", () => {
    const { text, receipts } = briefOf(logOf());
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(TITLES);
    expect(section(text, "Commands")).toEqual(["None."]);
    expect(receipts).toEqual([{ line: "- Folder: /work/project", seq: 1, quote: "/work/project" }]);
  });

  it("quotes the messages in order and names their attachments", () => {
    const log = logOf(
      user("a", "Build a nest.\n\nOf twigs.", { attachments: [{ path: "/work/project/nest.png" }] }),
      user("b", "Cancelled"),
      delivery("b", "cancelled"),
      user("c", "Also a roof"),
      delivery("c", "edited", "Also a door"),
      user("d", "Later"),
      delivery("d", "queued"),
      user("e", "made by Gantry", { author: "gantry" }),
    );
    expect(section(briefOf(log).text, "Goal")).toEqual([
      "> Build a nest.",
      ">",
      "> Of twigs.",
      "- attached: /work/project/nest.png",
      "Then:",
      "> Also a door",
    ]);
    const { receipts } = briefOf(log);
    expect(receipts.find(({ line }) => line === "> Also a door")?.seq).toBe(6);
  });

  it("lists the user's decisions without the answer to a secret question", () => {
    const question = (id: string, secret: boolean) => ({
      id,
      text: `What is ${id}?`,
      options: [],
      multi: false,
      freeform: true,
      secret,
    });
    const log = logOf(
      user("a", "go"),
      asks("1", { title: "Run npm test?" }),
      answers("1", {}),
      asks("2", { title: "Remove a.ts?" }),
      answers("2", { decision: "deny", message: "keep that file" }),
      asks("3", { kind: "question", title: "?", questions: [question("colour", false), question("token", true)] }),
      answers("3", { answers: { colour: "Blue", token: "hunter2" } }),
      asks("4", { kind: "plan", title: "The plan", detail: "1. twigs\n2. moss" }),
      answers("4", {}),
      asks("5", { title: "By itself?" }),
      answers("5", { by: "grant:gra_1" }),
      user("b", "no, use moss"),
      delivery("b", "inline"),
    );
    expect(section(briefOf(log).text, "Decisions")).toEqual([
      "- approval, allow: Run npm test?",
      '- approval, deny: Remove a.ts? ("keep that file")',
      '- question "What is colour?" → "Blue"',
      '- question "What is token?" → a secret, not stored',
      "- plan, allow: The plan",
      "> 1. twigs",
      "> 2. moss",
      '- the user wrote: "no, use moss"',
    ]);
  });

  it("lists touched files, and commands with their results", () => {
    const log = logOf(
      user("a", "go"),
      tool("1", "edit", { locations: [{ path: "/work/project/src/a.ts" }] }),
      toolEnd("1"),
      tool("2", "edit", {}),
      toolEnd("2", { changes: [{ path: "/work/project/b.ts", kind: "add", additions: 3, deletions: 0 }] }),
      tool("3", "edit", { locations: [{ path: "/work/project/denied.ts" }] }),
      toolEnd("3", { status: "denied" }),
      tool("4", "execute", { input: { command: ["npm", "test"] } }),
      toolEnd("4", { status: "error", exitCode: 1 }),
      tool("5", "execute", { title: "make `all`" }),
      toolEnd("5"),
    );
    const { text } = briefOf(log);
    expect(section(text, "Files touched")).toEqual(["- src/a.ts", "- b.ts (add, +3 -0)"]);
    expect(section(text, "Commands")).toEqual(["- `npm test` → exit 1, **failed**", "- `` make `all` `` → ok"]);
  });

  it("lists a file once that the agent and git name by different paths", () => {
    const changes = [{ path: "/work/project/new.ts", kind: "add" as const, additions: 3, deletions: 0 }];
    const log = logOf(
      user("a", "go"),
      tool("1", "edit", {}),
      toolEnd("1", { changes }),
      draft("diff.updated", { files: [{ path: "new.ts", kind: "add", additions: 4, deletions: 0 }] }),
      tool("2", "edit", { locations: [{ path: "/work/project/new.ts" }, { path: "./other.ts" }] }),
      toolEnd("2"),
    );
    expect(section(briefOf(log).text, "Files touched")).toEqual(["- new.ts (add, +4 -0)", "- other.ts"]);
  });

  it("names the next step: the prompt, a plan entry in work, a pending question or the unfinished message", () => {
    const plan = draft("plan.updated", {
      entries: [
        { text: "twigs", status: "completed" },
        { text: "moss", status: "pending" },
        { text: "eggs", status: "in_progress" },
      ],
    }) as Draft;
    const open = asks("1", { title: "Run it?" });
    const failed = draft("turn.ended", { outcome: "failed" }, { turn: "trn_1" }) as Draft;
    const next = (log: Envelope[], prompt?: string) => section(briefOf(log, { prompt }).text, "Next step");
    expect(next(logOf(user("a", "go"), plan), "paint it")).toEqual(["> paint it"]);
    expect(next(logOf(user("a", "go"), plan))).toEqual(["- Continue with: eggs"]);
    expect(next(logOf(user("a", "go"), open))).toEqual(["- This waits for an answer: approval: Run it?"]);
    expect(next(logOf(user("a", "go"), failed))).toEqual(["- Finish what was asked last: go"]);
    expect(section(briefOf(logOf(user("a", "go"), plan)).text, "Open to-dos")).toEqual([
      "- [ ] moss",
      "- [in work] eggs",
    ]);
  });

  it("shows the first message and the newest others if not everything fits, and counts the dropped lines", () => {
    const many = Array.from({ length: 300 }, (_, index) => user(String(index), `wish ${index} ${"x".repeat(200)}`));
    const log = logOf(...many);
    const { text, receipts } = briefOf(log, { limit: 4000 });
    expect(text.length).toBeLessThanOrEqual(4000);
    const goal = section(text, "Goal");
    expect(goal.join("\n")).toContain("wish 0 ");
    expect(goal.at(-1)).toContain("wish 299 ");
    expect(goal.join("\n")).toMatch(/\(\d+ earlier lines are left out\.\)/);
    expect(text).toContain("- Folder: /work/project");
    expect(findWrongSources(text, receipts, log)).toEqual([]);
  });

  it("returns the sources of the lines that remain in an edited brief", () => {
    const { text, receipts } = briefOf(logOf(user("a", "one"), user("b", "two")));
    expect(receiptsIn(text, receipts)).toEqual(receipts);
    expect(receiptsIn(text.replace("> two", "> three"), receipts).map(({ line }) => line)).toEqual([
      "> one",
      "- Folder: /work/project",
    ]);
  });
});

const recordings = builtInAgents.flatMap((agent) => {
  const folder = join(import.meta.dirname, "..", "..", "agents", agent.id);
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.includes("fixtures/") && file.endsWith(".jsonl"),
  );
  return files.map((file) => ({ agent, file: `${agent.id}/${file}`, path: join(folder, file) }));
});

describe("sources", () => {
  it("exist for every line of a brief of every recording", () => {
    let proven = 0;
    for (const { agent, file, path } of recordings) {
      const lines = readFileSync(path, "utf8").split("\n");
      const meta = path.replace(/\.jsonl$/, ".meta.json");
      const channel = recognise(agent, lines.slice(0, 50));
      if (!channel) continue;
      const entries = [
        ...decodeRecording(agent, channel, lines, existsSync(meta) ? JSON.parse(readFileSync(meta, "utf8")) : {}),
      ];
      const log = entries.filter((entry): entry is Envelope => !("live" in entry));
      for (const limit of [LIMIT, 2000]) {
        const { text, receipts } = briefOf(log, { limit });
        expect(text.length, file).toBeLessThanOrEqual(limit);
        expect(findWrongSources(text, receipts, log), file).toEqual([]);
        expect(findUnsourcedLines(text, receipts), file).toEqual([]);
        proven += receipts.length;
      }
    }
    expect(recordings.length).toBeGreaterThan(100);
    expect(proven).toBeGreaterThan(2000);
  });

  it("exist for every line of a brief of any log, and the same log gives the same brief", () => {
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 60 }), fc.integer({ min: 2000, max: 30_000 }), (drafts, limit) => {
        const log = logOf(...drafts);
        for (const event of log) expect(EnvelopeSchema.safeParse(event).error).toBeUndefined();
        const { text, receipts } = briefOf(log, { limit });
        expect(text.length).toBeLessThanOrEqual(limit);
        expect(findWrongSources(text, receipts, log)).toEqual([]);
        expect(findUnsourcedLines(text, receipts)).toEqual([]);
        expect(text).not.toContain("hunter2");
        expect(briefOf(log, { limit })).toEqual({ text, receipts });
      }),
      { numRuns: 300 },
    );
  });
});

const id = fc.constantFrom("1", "2", "3");
const texts = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 40 }),
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.constantFrom(
    "",
    " ",
    "\n\n",
    "a\r\nb\tc",
    "`tick` and \\ and \u2028",
    "x".repeat(3000),
    "🚀".repeat(700),
    "- ",
    "> ",
  ),
);
const anything: fc.Arbitrary<Draft> = fc.oneof(
  fc
    .tuple(id, texts, fc.constantFrom("user", "gantry", "schedule"))
    .map(([n, text, author]) => user(n, text, { author })),
  fc
    .tuple(id, fc.constantFrom("queued", "inline", "cancelled", "edited"), texts)
    .map(([n, state, text]) => delivery(n, state as "queued", text)),
  fc.tuple(id, fc.constantFrom("execute", "edit"), texts).map(([n, kind, text]) =>
    tool(n, kind as "edit", {
      title: text,
      input: { command: text },
      locations: [{ path: `/work/project/${text}` }],
    }),
  ),
  fc
    .tuple(id, texts)
    .map(([n, title]) => draft("tool.updated", { item: `itm_${n}`, patch: { title, input: {} } }) as Draft),
  fc
    .tuple(id, fc.integer(), texts)
    .map(([n, exitCode, path]) =>
      toolEnd(n, { exitCode, changes: exitCode % 2 ? [{ path, kind: "update", additions: 1 }] : undefined }),
    ),
  fc.tuple(id, texts, texts).map(([n, title, text]) =>
    asks(n, {
      title,
      kind: text.length % 2 ? "plan" : "question",
      detail: text,
      questions: [
        { id: "q", text, options: [{ label: title }], multi: true, freeform: true, secret: text.length % 3 === 0 },
      ],
    }),
  ),
  fc
    .tuple(id, texts, fc.constantFrom("user", "gantry", "agent"))
    .map(([n, message, by]) => answers(n, { by, message, answers: { q: [message] } })),
  fc.tuple(id, texts).map(([n, text]) => draft("message.done", { item: `itm_m${n}`, text }) as Draft),
  id.map((n) => draft("message.retracted", { items: [`itm_m${n}`] }) as Draft),
  texts.map((text) => draft("plan.updated", { entries: [{ text, status: "pending" }] }) as Draft),
  texts.map(
    (path) => draft("diff.updated", { files: [{ path, kind: "update", additions: 2, deletions: 1 }] }) as Draft,
  ),
  texts.map(
    (prompt) => draft("handoff.started", { id: "hnd_1", from: "a", to: "b", strategy: "brief", prompt }) as Draft,
  ),
  fc.constant(draft("turn.started", { trigger: "user", messages: [] }, { turn: "trn_1" }) as Draft),
  fc
    .constantFrom("completed", "interrupted", "failed")
    .map((outcome) => draft("turn.ended", { outcome: outcome as "failed" }, { turn: "trn_1" }) as Draft),
);
