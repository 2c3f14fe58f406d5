import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AgentMessage } from "../contract/messages.ts";
import { SessionError } from "../contract/session.ts";
import type { SessionStore } from "../contract/session-store.ts";
import { branchPoint, branchSession } from "./branch-session.ts";
import { continueRecent, findSession, listSessions } from "./listing.ts";
import { createSessionStore, forkSession, openSessionStore } from "./open.ts";
import { navigate, setLabel, treeRows } from "./tree.ts";

let agentDir: string;
const cwd = "/some/project";
beforeEach(() => {
  agentDir = mkdtempSync(join(tmpdir(), "gantry-sessions-"));
});
afterEach(() => rmSync(agentDir, { recursive: true, force: true }));

const user = (content: string): { type: "message"; message: AgentMessage } => ({
  type: "message",
  message: { role: "user", content, timestamp: 1 },
});
const assistant = (text: string): { type: "message"; message: AgentMessage } => ({
  type: "message",
  message: {
    role: "assistant",
    content: [{ type: "text", text }],
    api: "anthropic-messages",
    provider: "anthropic",
    model: "m",
    usage: {
      input: 1,
      output: 1,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 2,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
    },
    stopReason: "stop",
    timestamp: 2,
  },
});
const make = () => createSessionStore({ cwd, agentDir });
const texts = (store: SessionStore) =>
  store.branch().messages.map((message) => {
    if ("summary" in message) return `(${message.summary})`;
    const content = "content" in message ? message.content : [];
    return typeof content === "string"
      ? content
      : content.map((block) => ("text" in block ? block.text : "?")).join("");
  });
const reopen = (store: SessionStore) => {
  store.close();
  return openSessionStore(store.file!, { agentDir });
};

describe("a session on disk", () => {
  it("is created at the model's first answer, with one line per entry", () => {
    const store = make();
    store.append(user("hello"));
    store.keepArtifact("long", "bash");
    expect(readdirSync(agentDir)).toEqual([]);
    store.append(assistant("hi"));
    const lines = readFileSync(store.file!, "utf8").trimEnd().split("\n");
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0]!)).toMatchObject({ type: "session", version: 3, cwd, id: store.header.id });
    expect(store.file).toMatch(/sessions\/--some-project--\/[\dTZ-]+_[0-9a-f-]{36}\.jsonl$/);
    expect(store.entries().every(({ id }) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
    const again = reopen(store);
    expect(texts(again)).toEqual(["hello", "hi"]);
    expect(again.readArtifact("0")).toBe("long");
    expect(again.keepArtifact("more", "../../x")).toBe("1");
    expect(again.readArtifact("1")).toBe("more");
    expect(again.readArtifact("../1")).toBeUndefined();
    expect(again.problems).toEqual([]);
  });

  it("is not created for settings alone, but for a user message", () => {
    const quiet = make();
    quiet.append({ type: "model_change", model: "a/b" });
    quiet.flush();
    quiet.close();
    expect(existsSync(quiet.file!)).toBe(false);
    const spoken = make();
    spoken.append(user("x"));
    spoken.close();
    expect(texts(openSessionStore(spoken.file!, { agentDir }))).toEqual(["x"]);
  });

  it("restores leaf, title and labels when it is reopened", () => {
    let store = make();
    const first = store.append(user("one"));
    const second = store.append(assistant("two"));
    store.append(user("three"));
    setLabel(store, second.id, "here");
    store.moveTo(first.id);
    store.setTitle("A\nname", "user");
    store = reopen(store);
    expect(store.leafId).toBe(first.id);
    expect(store.header).toMatchObject({ title: "A name", titleSource: "user" });
    expect(store.labels()).toEqual(new Map([[second.id, "here"]]));
    store.append(user("other"));
    expect(texts(reopen(store))).toEqual(["one", "other"]);
    expect(listSessions({ cwd }, { agentDir })).toMatchObject([{ title: "A name", firstMessage: "one" }]);
  });

  it("shows its title in lists however long it grows", () => {
    const store = make();
    store.append(assistant("x"));
    store.setTitle("First title", "auto");
    store.append(user("y".repeat(200_000)));
    store.close();
    const size = readFileSync(store.file!).length;
    expect(listSessions("all", { agentDir })).toMatchObject([{ title: "First title" }]);
    openSessionStore(store.file!, { agentDir }).close();
    expect(readFileSync(store.file!).length).toBe(size);
  });

  it("applies compactions, summaries and settings", () => {
    const store = make();
    store.append(user("old"));
    const recent = store.append(assistant("recent"));
    store.append({ type: "model_change", model: "a/b" });
    store.append({ type: "model_change", model: "small/one", role: "temporary" });
    store.append({ type: "thinking_level_change", thinkingLevel: "high" });
    store.append({ type: "ttsr_injection", injectedRules: ["r"] });
    store.append({ type: "compaction", summary: "sum", firstKeptEntryId: recent.id, tokensBefore: 9 });
    store.append({ type: "branch_summary", fromId: "root", summary: "left" });
    store.append({ type: "custom_message", customType: "note", content: "noted", display: true });
    store.append({ type: "custom", customType: "state", data: {} });
    const branch = reopen(store).branch();
    expect(texts(store)).toEqual(["(sum)", "recent", "(left)", "noted"]);
    expect(branch).toMatchObject({ model: "a/b", thinkingLevel: "high", injectedRules: ["r"] });
    expect(branch.entryIds).toHaveLength(branch.messages.length);
  });

  it("stores images as blobs and notes a missing one", () => {
    const data = Buffer.alloc(3000, 7).toString("base64");
    const small = Buffer.from("tiny").toString("base64");
    const store = make();
    store.append({
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "image", data, mimeType: "image/png" },
          { type: "image", data: small, mimeType: "image/png" },
        ],
        timestamp: 1,
      },
    });
    store.append(assistant("seen"));
    expect(readFileSync(store.file!, "utf8")).toMatch(/blob:sha256:[0-9a-f]{64}/);
    expect(readFileSync(store.file!, "utf8")).not.toContain(data);
    const again = reopen(store);
    expect(again.branch().messages[0]).toMatchObject({ content: [{ data }, { data: small }] });
    rmSync(join(agentDir, "blobs"), { recursive: true });
    expect(texts(again)[0]).toMatch(/An image \(image\/png\) was here.*missing/);
  });

  it("cuts long texts and survives values that are not JSON", () => {
    const store = make();
    store.append(user(`${"a".repeat(499_999)}😀tail`));
    const loop: Record<string, unknown> = { big: 10n, at: new Date(0), nothing: undefined, run: () => 1 };
    loop.self = loop;
    store.append({ type: "custom", customType: "odd", data: loop });
    store.append(assistant("x"));
    const [first, second] = reopen(store).entries();
    expect(texts(store)[0]).toMatch(/^a{499999}\n\[6 more characters were not stored\]$/);
    expect(first!.type).toBe("message");
    expect(second).toMatchObject({ data: { big: "10", at: "1970-01-01T00:00:00.000Z", self: "[circular]" } });
  });
});

describe("a damaged file", () => {
  it("skips only unreadable lines and reports them", () => {
    const store = make();
    const { id } = store.append(user("one"));
    store.append(assistant("two"));
    store.append(user("three"));
    store.close();
    const lines = readFileSync(store.file!, "utf8").split("\n");
    lines[2] = lines[2]!.slice(0, 150);
    lines.splice(
      3,
      0,
      "\u0000garbage",
      "[1]",
      `{"type":"message","id":"q1","parentId":"${id}","timestamp":"","message":{{}`,
    );
    writeFileSync(store.file!, lines.join("\n"));
    const again = openSessionStore(store.file!, { agentDir });
    expect(texts(again)).toEqual(["one", "three"]);
    expect(again.problems.join("\n")).toMatch(
      /line 3: not readable[\s\S]*line 4[\s\S]*line 5[\s\S]*line 7: its parent/,
    );
    again.entries();
    expect(again.problems.at(-1)).toMatch(/line 6/);
  });

  it("is repaired after an incomplete last line", () => {
    const store = make();
    store.append(assistant("one"));
    store.close();
    const whole = readFileSync(store.file!, "utf8");
    for (const half of ['{"type":"mess', '{"type":"message","id":"zz","parentId":null,"timestamp":"","message":{}']) {
      writeFileSync(store.file!, whole + half);
      const again = openSessionStore(store.file!, { agentDir });
      expect(again.problems.join()).toMatch(/line 3: incomplete write/);
      again.append(user("two"));
      expect(texts(reopen(again))).toEqual(["one", "two"]);
      writeFileSync(store.file!, whole);
      rmSync(`${store.file}.lock`, { force: true });
    }
    writeFileSync(store.file!, whole.trimEnd());
    const again = openSessionStore(store.file!, { agentDir });
    again.append(user("two"));
    const last = reopen(again);
    expect([texts(last), last.problems]).toEqual([["one", "two"], []]);
  });

  it("stays unchanged if it has no header", () => {
    const file = join(agentDir, "x.jsonl");
    for (const text of ["", "nonsense\n", '{"type":"message"}\n']) {
      writeFileSync(file, text);
      const store = openSessionStore(file, { agentDir });
      store.append(assistant("new"));
      store.close();
      expect(readFileSync(file, "utf8")).toBe(text);
      expect(store.file).not.toBe(file);
      expect(store.problems.join()).toMatch(/not a session/);
    }
    expect(() => openSessionStore(join(agentDir, "none.jsonl"))).toThrow(SessionError);
  });

  it.each([
    ["an empty file", ""],
    ["text", "nonsense\n"],
    ["an entry without a header", '{"type":"message"}\n'],
    ["a header without an id", '{"type":"session","version":3}\n'],
    ["a list", "[]\n"],
    ["bytes", "\u0000\u0001\ufffd"],
  ])("is refused by a strict open if it is %s, and nothing is left behind", (_what, text) => {
    const file = join(agentDir, "x.jsonl");
    writeFileSync(file, text);
    const before = readdirSync(agentDir);
    expect(() => openSessionStore(file, { agentDir, strict: true })).toThrow(/is not a session/);
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(readdirSync(agentDir)).toEqual(before);
  });

  it("is opened read-only if its version is newer", () => {
    const file = join(agentDir, "x.jsonl");
    writeFileSync(file, '{"type":"session","version":4,"id":"a","timestamp":"","cwd":"/"}\n');
    const store = openSessionStore(file, { agentDir });
    expect(store.readOnly).toBe(true);
    expect(() => store.append(user("x"))).toThrow(SessionError);
  });
});

describe("forks and branches", () => {
  it("copy the entries up to the branch point with ids and labels", () => {
    const store = make();
    store.append(user("one"));
    const answer = store.append(assistant("two"));
    setLabel(store, answer.id, "good");
    const asked = store.append(user("three"));
    store.append(assistant("four"));
    const { leafId, text } = branchPoint(store, asked.id);
    const branch = branchSession(store, leafId, { agentDir });
    expect(text).toBe("three");
    expect(texts(branch)).toEqual(["one", "two"]);
    expect(branch.header.parentSession).toBe(store.file);
    expect(branch.labels().get(answer.id)).toBe("good");
    expect(texts(reopen(branch))).toEqual(["one", "two"]);
    expect(() => branchPoint(store, answer.id)).toThrow(SessionError);
    expect(() => branchSession(store, "nope")).toThrow(SessionError);
  });

  it("copy the whole tree, the leaf and the artifacts into a fork", () => {
    const store = make();
    const first = store.append(user("one"));
    store.append(assistant("two"));
    store.keepArtifact("recent", "bash");
    store.moveTo(first.id);
    const fork = forkSession(store.file!, { agentDir, cwd: "/elsewhere" });
    expect(fork.entries()).toEqual(store.entries());
    expect([fork.leafId, fork.header.cwd, fork.readArtifact("0")]).toEqual([first.id, "/elsewhere", "recent"]);
    fork.append(user("only here"));
    expect(store.entries()).toHaveLength(2);
  });

  it("list the tree in drawing order with filters", () => {
    const store = createSessionStore({ cwd, inMemory: true });
    const one = store.append(user("one"));
    const two = store.append(assistant("two"));
    const three = store.append(user("three"));
    expect(navigate(store, three.id, { summary: "went wrong" })).toEqual({ text: "three" });
    store.append(user("better"));
    setLabel(store, one.id, "start");
    expect(texts(store)).toEqual(["one", "two", "(went wrong)", "better"]);
    expect(store.children(two.id).map(({ type }) => type)).toEqual(["message", "branch_summary"]);
    expect(treeRows(store).map(({ depth, onPath }) => [depth, onPath])).toEqual([
      [0, true],
      [0, true],
      [1, false],
      [1, true],
      [1, true],
    ]);
    expect(treeRows(store, "user-only")).toHaveLength(3);
    expect(treeRows(store, "labeled-only").map(({ label }) => label)).toEqual(["start"]);
    expect(treeRows(store, "all")).toHaveLength(6);
    expect(store.file).toBeUndefined();
  });
});

describe("finding", () => {
  it("continues the newest session of the folder and finds sessions by id prefix", () => {
    expect(continueRecent(cwd, { agentDir }).entries()).toEqual([]);
    const store = make();
    store.append(assistant("one"));
    store.close();
    const other = createSessionStore({ cwd: "/some-project", agentDir });
    other.append(assistant("not this"));
    other.close();
    expect(texts(continueRecent(cwd, { agentDir }))).toEqual(["one"]);
    expect(listSessions("all", { agentDir })).toHaveLength(2);
    expect(findSession(other.header.id, cwd, { agentDir })?.file).toBe(other.file);
    expect(findSession("", cwd, { agentDir })).toBeUndefined();
  });

  it("stores files directly in an explicit session folder", () => {
    const dir = join(agentDir, "mine");
    const store = createSessionStore({ cwd, agentDir, dir });
    store.append(assistant("x"));
    store.close();
    expect(readdirSync(dir)).toHaveLength(1);
    expect(listSessions({ cwd }, { agentDir, dir })).toHaveLength(1);
    expect(listSessions({ cwd: "/other" }, { agentDir, dir })).toHaveLength(0);
  });
});
