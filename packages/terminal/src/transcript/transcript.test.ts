import { type Draft, draft, type Envelope, failure, type InputRequest } from "@gantry/protocol";
import { expect, test } from "vitest";
import { makePaint } from "../text/paint.ts";
import { Transcript, type TranscriptOptions } from "./transcript.ts";

const session = "ses_01abcdefghijklmnk3f9qz";
const turn = "trn_1";

function log(drafts: Draft[]): Envelope[] {
  return drafts.map((one, index) => ({
    v: 1,
    session,
    seq: index + 1,
    at: new Date(Date.UTC(2030, 0, 1, 0, 0, index)).toISOString(),
    ...one,
  })) as Envelope[];
}

function render(drafts: Draft[], options: Partial<TranscriptOptions> = {}): string {
  const transcript = new Transcript({ paint: makePaint(false), ...options });
  return log(drafts)
    .flatMap((event) => transcript.event(event))
    .join("\n");
}

const opening: Draft[] = [
  draft("session.created", { agent: "scripted", mode: "ask", cwd: "/p", title: "Fix it", model: "m-1" }),
  draft("message.user", { message: "msg_1", text: "fix the test" }),
  draft("message.delivery", { message: "msg_1", state: "sent" }),
  draft("turn.started", { trigger: "user", messages: ["msg_1"] }, { turn }),
];
const messageDone = (item: string, text: string) => draft("message.done", { item, text }, { turn });

test("renders a turn as a conversation", () => {
  const text = render([
    ...opening,
    messageDone("itm_1", "I look first.\n"),
    draft("tool.started", {
      item: "itm_2",
      name: "Read",
      kind: "read",
      title: "Read /p/a.js",
      locations: [{ path: "/p/a.js" }],
    }),
    draft("tool.ended", { item: "itm_2", status: "ok", output: "the whole file" }),
    draft("tool.started", {
      item: "itm_3",
      name: "Bash",
      kind: "execute",
      title: "Run tests",
      input: { command: "npm test" },
    }),
    draft("tool.ended", { item: "itm_3", status: "error", output: "1 failed\n", exitCode: 2, durationMs: 1500 }),
    draft("tool.started", { item: "itm_4", name: "Edit", kind: "edit", title: "Edit a.js" }),
    draft("tool.ended", {
      item: "itm_4",
      status: "ok",
      changes: [{ path: "/p/a.js", kind: "update", diff: "--- a/a.js\n+++ b/a.js\n@@ -3 +3 @@\n-old\n+new\n" }],
    }),
    draft("turn.ended", {
      outcome: "completed",
      usage: { input: 12_300, output: 450, cacheRead: 9000 },
      cost: { usd: 0.0123, source: "agent" },
      durationMs: 65_000,
    }),
  ]);
  expect(text).toMatchInlineSnapshot(`
    "scripted · m-1 · mode ask · /p · k3f9qz  Fix it

    › fix the test

    I look first.

    ◇ Read a.js  ✓

    $ npm test  ✗ exit 2 1.5 s
      │ 1 failed

    ✎ Edit a.js  +1 −1  ✓
      │ @@ -3 +3 @@
      │ -old
      │ +new

    ✓ completed · 12.3k in (9k cached), 450 out · $0.0123 · 1 m 5 s"
  `);
});

test("shows a message when it is sent to the agent, not when it is queued", () => {
  const text = render([
    ...opening,
    draft("message.user", { message: "msg_2", text: "then commit" }),
    draft("message.delivery", { message: "msg_2", state: "queued", position: 0 }),
    draft("message.delivery", { message: "msg_2", state: "edited", text: "then push" }),
    messageDone("itm_1", "first"),
    draft("turn.ended", { outcome: "interrupted", reason: "interrupted by the user", durationMs: 10 }),
    draft("message.delivery", { message: "msg_2", state: "sent" }),
    draft("turn.started", { trigger: "queue", messages: ["msg_2"] }, { turn: "trn_2" }),
  ]);
  expect(text.split("\n\n").slice(1)).toEqual([
    "› fix the test",
    "queued: then commit",
    "first",
    "■ interrupted by the user · 5 s",
    "› then push",
  ]);
});

test("shows a steer below the transcript until the agent reads it, then where it was read", () => {
  const transcript = new Transcript({ paint: makePaint(false) });
  const events = log([
    ...opening,
    draft("message.user", { message: "msg_2", text: "use the other table\nplease" }),
    draft("message.delivery", { message: "msg_2", state: "sent" }),
    draft("message.user", { message: "msg_3", text: "and push" }),
    draft("message.delivery", { message: "msg_3", state: "sent" }),
    messageDone("itm_1", "first"),
    draft("message.delivery", { message: "msg_2", state: "inline" }),
    draft("message.delivery", { message: "msg_3", state: "cancelled", reason: "taken back before the agent read it" }),
  ]);
  const shown = events.map((event) => ({ lines: transcript.event(event).join("\n"), pending: transcript.pending }));
  expect(shown.slice(-4)).toEqual([
    { lines: "", pending: ["↳ not read yet: use the other table", "↳ not read yet: and push"] },
    { lines: "\nfirst", pending: ["↳ not read yet: use the other table", "↳ not read yet: and push"] },
    { lines: "\n› use the other table\n  please", pending: ["↳ not read yet: and push"] },
    { lines: "\ntaken back: and push", pending: [] },
  ]);
});

const approval: InputRequest = {
  id: "inp_01abcdefghijklmnk3e2b1",
  session,
  item: "itm_5",
  kind: "approval",
  title: "Write b.js",
  diff: [{ path: "/p/b.js", kind: "add", diff: "@@ -0,0 +1 @@\n+hello\n" }],
  options: [],
  questions: [],
  blocking: true,
};

test("does not repeat a change that was shown with its approval request", () => {
  const text = render([
    ...opening,
    draft("tool.started", { item: "itm_5", name: "Write", kind: "edit", title: "Write b.js" }),
    draft("input.requested", approval),
    draft("input.resolved", { id: approval.id, decision: "allow", by: "grant:gra_1" }),
    draft("tool.ended", { item: "itm_5", status: "ok", changes: approval.diff }),
  ]);
  expect(text.split("\n").slice(4)).toEqual([
    "┃ Approval needed  Write b.js",
    "┃ add b.js  +1",
    "┃ +hello",
    "  ✓ allowed by a standing permission",
    "",
    "✎ Write b.js  +1  ✓",
  ]);
});

test("shows the reason and the remedy of a failure", () => {
  const text = render([
    ...opening,
    draft("turn.ended", { outcome: "failed", error: failure("auth", "401 from the provider") }),
  ]);
  expect(text).toContain("✗ failed (auth)");
  expect(text).toContain("401 from the provider");
  expect(text).toContain("Log the agent in");
});

test("strips control sequences from agent output", () => {
  const text = render([...opening, messageDone("itm_1", "safe\x1b[2J\x1b]0;title\x07 \u202etxt\x00\ttab")]);
  expect(text.split("\n").at(-1)).toBe("safe txt  tab");
});

test("commits a streamed answer line by line and only once", () => {
  const transcript = new Transcript({ paint: makePaint(false) });
  for (const event of log(opening)) transcript.event(event);
  const delta = (offset: number, text: string) =>
    transcript.live({ type: "delta", session, item: "itm_1", channel: "text", offset, text });
  expect(delta(0, "first li")).toEqual([]);
  expect(transcript.partial).toEqual(["first li"]);
  expect(delta(8, "ne\nsecond")).toEqual(["", "first line"]);
  expect(delta(8, "ne\nsecond")).toEqual([]);
  expect(transcript.event(log([messageDone("itm_1", "first line\nsecond line\n")])[0] as Envelope)).toEqual([
    "second line",
  ]);
  expect(transcript.partial).toEqual([]);
});

test("shows a message in full if it differs from the streamed text", () => {
  const transcript = new Transcript({ paint: makePaint(false) });
  transcript.live({ type: "delta", session, item: "itm_1", channel: "text", offset: 0, text: "draft\nmore" });
  const lines = transcript.event(log([messageDone("itm_1", "final\nmore")])[0] as Envelope);
  expect(lines).toEqual(["(the agent changed the message above; in full:)", "final", "more"]);
});

test("wraps rows at the width of the terminal", () => {
  const text = render([...opening, messageDone("itm_1", "alpha beta gamma delta epsilon zeta")], { width: () => 24 });
  expect(text.split("\n").slice(-2)).toEqual(["alpha beta gamma delta", "epsilon zeta"]);
});

test("shows a handoff as one line, with the user's prompt instead of the brief", () => {
  const handoff = { id: "hnd_1", from: "one", to: "two", strategy: "brief" } as const;
  const brief = "## Goal\n\n> a very long brief";
  const drafts: Draft[] = [
    draft("handoff.started", { ...handoff, brief, message: "msg_2", prompt: "continue" }),
    draft("message.user", { message: "msg_2", text: brief, author: "gantry" }),
    draft("message.delivery", { message: "msg_2", state: "sent" }),
    draft("turn.started", { trigger: "handoff", messages: ["msg_2"] }, { turn }),
    draft("handoff.ended", { ...handoff, outcome: "failed", reason: "Not logged in." }),
  ];
  const text = render(drafts);
  expect(text).toContain("one → two · handed off by brief · a brief of 3 lines");
  expect(text).toContain("› continue");
  expect(text).not.toContain("a very long brief");
  expect(text).toContain("the handoff to two failed: Not logged in.; back with one");
  expect(render(drafts, { full: true })).toContain("a very long brief");
});

test("shows background tasks when they start, serve and end, and what runs between turns", () => {
  const transcript = new Transcript({ paint: makePaint(false) });
  const events = log([
    ...opening,
    draft("task.started", { task: "b1", kind: "command", title: "npm run dev\u001b[2J" }),
    draft("task.started", { task: "b2", kind: "command", title: "make" }),
    draft("task.updated", { task: "b1", kind: "server", url: "http://localhost:5173/" }),
    draft("turn.ended", { outcome: "completed" }, { turn }),
  ]);
  const lines = events.flatMap((event) => transcript.event(event));
  expect(lines).toContain("↻ npm run dev runs in the background");
  expect(lines).toContain("↻ npm run dev serves http://localhost:5173/");
  expect(transcript.status(Date.UTC(2030, 0, 1, 0, 1, 4))).toBe("in the background: npm run dev (+1 more) 1 m 0 s");
  const ends = log([
    draft("task.ended", { task: "b1", status: "lost", reason: "the session was closed" }),
    draft("task.ended", { task: "b2", status: "error", exitCode: 2 }),
    draft("task.ended", { task: "b9", status: "ok" }),
  ]).flatMap((event) => transcript.event(event));
  expect(ends.filter((line) => line !== "")).toEqual([
    "✗ npm run dev has ended, with an unknown result: the session was closed",
    "✗ make failed with exit code 2",
  ]);
  expect(transcript.status(Date.UTC(2030, 0, 1))).toBe("");
});

test("on a terminal, commits a streamed answer block by block and shows the rest live", () => {
  const transcript = new Transcript({ paint: makePaint(false), width: () => 60 });
  for (const event of log(opening)) transcript.event(event);
  let offset = 0;
  const stream = (text: string) => {
    const lines = transcript.live({ type: "delta", session, item: "itm_1", channel: "text", offset, text });
    offset += text.length;
    return lines;
  };
  expect(stream("One paragraph\nwith two")).toEqual([]);
  expect(transcript.partial).toEqual(["One paragraph", "with two"]);
  expect(stream(" lines.\n\n- an")).toEqual(["", "One paragraph", "with two lines."]);
  expect(transcript.partial).toEqual(["- an"]);
  expect(stream(" item\n- another")).toEqual([]);
  const text = "One paragraph\nwith two lines.\n\n- an item\n- another\n";
  expect(transcript.event(log([messageDone("itm_1", text)])[0] as Envelope)).toEqual(["", "- an item", "- another"]);
  expect(transcript.partial).toEqual([]);
});

test("shows the output of a running command live, and its end when it has ended", () => {
  const transcript = new Transcript({ paint: makePaint(false), width: () => 60 });
  for (const event of log(opening)) transcript.event(event);
  const start = { item: "itm_2", name: "Bash", kind: "execute", title: "Run", input: { command: "make" } } as const;
  transcript.event(log([draft("tool.started", start)])[0] as Envelope);
  const output = Array.from({ length: 30 }, (_, index) => `line ${index}\n`).join("");
  transcript.live({ type: "delta", session, item: "itm_2", channel: "output", offset: 0, text: output });
  expect(transcript.partial.slice(0, 1)).toEqual(["$ make"]);
  expect(transcript.partial.at(-1)).toBe("  │ line 29");
  const lines = transcript.event(log([draft("tool.ended", { item: "itm_2", status: "ok", output })])[0] as Envelope);
  expect(lines.slice(1, 3)).toEqual(["$ make  ✓", "  │ … 22 lines before"]);
  expect(transcript.partial).toEqual([]);
});

test("shows the whole diff of an approval on a terminal, with line numbers", () => {
  const body = Array.from({ length: 500 }, (_, index) => `+line ${index}`).join("\n");
  const diff = [{ path: "/p/b.js", kind: "add" as const, diff: `@@ -0,0 +1,500 @@\n${body}\n` }];
  const text = render([...opening, draft("input.requested", { ...approval, diff })], { width: () => 60 });
  expect(text).toContain("┃   1 + line 0");
  expect(text).toContain("┃ 500 + line 499");
});

test("shows an error with its remedy", () => {
  const text = render([...opening, draft("error", failure("network", "no route to host"))]);
  expect(text).toContain("no route to host (network)");
  expect(text.split("\n").at(-1)).toBe(failure("network", "").remedy);
});
