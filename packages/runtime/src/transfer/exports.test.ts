import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { Machine } from "./testing/machine.fake.ts";

vi.setConfig({ testTimeout: 120_000 });

let machine: Machine;
beforeEach(() => {
  machine = new Machine();
});
afterEach(() => machine.dispose());

const HOSTILE =
  '<script>alert(1)</script><img src=x onerror="alert(2)">" onload=\'x\' </style><!-- ]]> \u0000 &amp; javascript:alert(3)';
const PNG = "iVBORw0KGgo=";

function conversation() {
  const user = (message: string, text: string, more: object = {}) => ({
    type: "message.user",
    data: { message, text, attachments: [], author: "user", delivery: "auto", ...more },
  });
  const turn = "trn_1";
  const attachments = [
    { name: HOSTILE, mime: "image/png", data: PNG },
    { name: "x.svg", mime: "image/svg+xml", data: "PHN2Zz4=" },
    { name: "bad.png", mime: "image/png", data: '"><script>' },
  ];
  const diff = `@@ -1 +1 @@\n-${HOSTILE}\n+${HOSTILE}\n`;
  return [
    user("msg_1", `The prompt: ${HOSTILE}`, { attachments }),
    { type: "message.delivery", data: { message: "msg_1", state: "sent" }, turn },
    { type: "turn.started", data: { trigger: "user", messages: ["msg_1"] }, turn },
    { type: "reasoning.done", data: { item: "itm_1", text: HOSTILE, redacted: false }, turn },
    {
      type: "message.done",
      data: {
        item: "itm_2",
        text: `# ${HOSTILE}\n\n[click](javascript:alert(1)) [fine](https://example.com/?a="b)\n\n${HOSTILE}\n\n\`\`\`${HOSTILE}\n${HOSTILE}\n\`\`\`\n\n| a |\n|---|\n| ${HOSTILE} |`,
      },
      turn,
    },
    {
      type: "tool.started",
      data: { item: "itm_3", name: HOSTILE, kind: "edit", title: HOSTILE, input: { command: HOSTILE } },
      turn,
    },
    user("msg_2", "sent during the turn", { delivery: "steer" }),
    { type: "message.delivery", data: { message: "msg_2", state: "inline" }, turn },
    user("msg_3", "never sent", { delivery: "queue" }),
    { type: "message.delivery", data: { message: "msg_3", state: "cancelled" } },
    {
      type: "tool.ended",
      data: {
        item: "itm_3",
        status: "error",
        output: HOSTILE,
        exitCode: 3,
        changes: [{ path: HOSTILE, kind: "update", diff }],
      },
      turn,
    },
    { type: "plan.updated", data: { entries: [{ text: HOSTILE, status: "in_progress" }] }, turn },
    { type: "notice", data: { kind: "x", severity: "warning", text: HOSTILE }, turn },
    {
      type: "turn.ended",
      data: {
        outcome: "failed",
        error: { category: "tool", message: HOSTILE, retryable: false },
        servedModel: HOSTILE,
      },
      turn,
    },
  ];
}

it("writes a page without foreign tags or attributes, for any content", async () => {
  machine.patches = { trn_1: `diff --git a/x b/x\n+${HOSTILE}\n` };
  machine.put("ses_a", [...conversation(), { type: "session.updated", data: { patch: { title: HOSTILE } } }]);
  const page = (await machine.export("ses_a", "html")).toString();
  const tags = [...page.matchAll(/<\/?([a-zA-Z!][a-zA-Z0-9]*)/g)].map(([, name]) => name?.toLowerCase());
  expect(tags).not.toContain("script");
  expect(page.replace(/"[^"]*"/g, "")).not.toMatch(/<[^>]+\son\w+\s*=/);
  expect(page).not.toMatch(/(href|src)="(?!https:\/\/|data:image\/png;base64,|#)/);
  expect(page).toContain("default-src &#39;none&#39;".replaceAll("&#39;", "'"));
  expect(page.match(/<style>/g)).toHaveLength(1);
  expect(page.match(/<img /g)).toHaveLength(1);
  expect(page).toContain("&lt;script&gt;alert(1)&lt;/script&gt;");
  expect(page).not.toContain("\u0000");
});

it("shows a message where the agent received it, and omits a cancelled one", async () => {
  machine.put("ses_a", conversation());
  for (const format of ["html", "md"] as const) {
    const page = (await machine.export("ses_a", format)).toString();
    expect(page).not.toContain("never sent");
    expect(page.indexOf("The prompt")).toBeGreaterThan(page.indexOf(format === "md" ? "## Turn 1" : 'class="turn"'));
    expect(page.indexOf("sent during the turn")).toBeGreaterThan(0);
  }
});

it("keeps Markdown fences and tables intact for hostile text", async () => {
  const fence = "````\n```\nx";
  machine.put("ses_a", [
    {
      type: "tool.started",
      data: { item: "itm_3", name: "Bash", kind: "execute", title: "a | b <x>", input: { command: "ls" } },
    },
    { type: "tool.ended", data: { item: "itm_3", status: "ok", output: fence } },
  ]);
  const page = (await machine.export("ses_a", "md")).toString();
  expect(page).toContain(`\`\`\`\`\`\n${fence}\n\`\`\`\`\``);
  expect(page).toContain("<code>a | b &lt;x&gt;</code>");
});

it("renders a long session in pieces and yields to other work", async () => {
  const text = "word ".repeat(30);
  const common = { v: 1 as const, session: "ses_a", at: "2026-01-01T00:00:00.000Z" };
  machine.put("ses_a", []);
  for (let from = 2; from < 20_000; from += 5000) {
    const events = Array.from({ length: 5000 }, (_, index) => {
      const seq = from + index;
      return { ...common, seq, type: "message.done" as const, data: { item: `itm_${seq}`, text } };
    });
    machine.store.commit({ session: "ses_a", events });
  }
  for (const format of ["gantry", "jsonl", "html", "md"] as const) {
    const { pieces } = machine.transfer.export("ses_a", format, { redact: false });
    let size = 0;
    let largest = 0;
    let ticks = 0;
    let over = false;
    const ticking = (async () => {
      for (; !over; ticks++) await sleep(1);
    })();
    for await (const piece of pieces) {
      size += piece.length;
      largest = Math.max(largest, piece.length);
    }
    over = true;
    await ticking;
    expect(size).toBeGreaterThan(format === "gantry" ? 40_000 : 2_000_000);
    expect(largest).toBeLessThan(1_000_000);
    expect(ticks).toBeGreaterThan(5);
  }
});

it("exports the log unchanged as JSON lines", async () => {
  machine.put("ses_a", conversation());
  expect((await machine.export("ses_a", "jsonl")).toString()).toBe(`${machine.log("ses_a").join("\n")}\n`);
});
