import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A fake of `@cursor/sdk` in a folder: the functions that the worker calls, with scripted runs. It replaces the package
 * and Cursor's service. A prompt names what happens: `write`, `run`, `thread`, `slow`, `throw`, `nothing`; any other text
 * is answered.
 */
export function writeFakeSdk(folder: string): string {
  const home = join(folder, "node_modules", "@cursor", "sdk");
  mkdirSync(home, { recursive: true });
  const manifest = {
    name: "@cursor/sdk",
    version: "9.8.7",
    type: "module",
    exports: { ".": { import: "./index.js" } },
  };
  writeFileSync(join(home, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(home, "index.js"), SOURCE);
  return home;
}

const SOURCE = `
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

const fail = (name, message, more) => { throw Object.assign(new Error(message), { name, ...more }); };
const key = () => process.env.CURSOR_API_KEY || fail("ConfigurationError", "API key is required for this.", { code: "unauthenticated" });
const store = () => join(homedir(), ".cursor", "projects");
let runs = 0;

class Run {
  constructor(agentId, work) { this.agentId = agentId; this.id = "run-" + ++runs; this.status = "running"; this.work = work; this.stopped = false; }
  async *stream() {
    const line = (more) => ({ agent_id: this.agentId, run_id: this.id, ...more });
    yield line({ type: "status", status: "RUNNING" });
    try { for await (const part of this.work(this)) yield line(part); } catch (error) { this.error = { message: error.message }; }
    this.status = this.stopped ? "cancelled" : this.error ? "error" : "finished";
    yield line({ type: "status", status: this.status.toUpperCase(), message: this.error?.message });
  }
  async wait() { return { id: this.id, status: this.status, error: this.error, model: { id: "fake-1" } }; }
  async cancel() { this.stopped = true; }
}
const text = (text) => ({ type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } });
const scripts = {
  async *write(run, cwd) { writeFileSync(join(cwd, "written.txt"), "x"); yield text("Written."); },
  async *run(run, cwd) { const done = spawnSync("/bin/sh", ["-c", "touch ran.txt"], { cwd }); if (done.error) throw done.error; yield text("Ran."); },
  async *thread(run, cwd) {
    const worker = new Worker("require('node:child_process').execSync('touch ran.txt', { cwd: " + JSON.stringify(cwd) + " })", { eval: true });
    await new Promise((done, failed) => worker.on("exit", done).on("error", failed));
    yield text("Ran in a thread.");
  },
  async *slow(run) { for (let i = 0; !run.stopped; i++) { yield text("word" + i + " "); await new Promise((next) => setTimeout(next, 20)); } },
  async *key() { yield text("The key is " + process.env.CURSOR_API_KEY); },
};

class FakeAgent {
  constructor(agentId, options) { this.agentId = agentId; this.options = options; }
  async send(message, options) {
    if (message.text.includes("nothing")) throw undefined;
    if (message.text.includes("throw")) fail("RateLimitError", "Too many requests.", { status: 429 });
    const name = Object.keys(scripts).find((name) => message.text.includes(name));
    const about = JSON.stringify({ text: message.text, images: message.images?.length ?? 0, mode: options.mode, model: options.model?.id, settings: this.options.local?.settingSources });
    return new Run(this.agentId, name ? (run) => scripts[name](run, this.options.local.cwd) : async function* () { yield text(about); });
  }
  close() {}
}

export const Agent = {
  async create(options) { key(); const id = "agent-" + process.pid; mkdirSync(store(), { recursive: true }); writeFileSync(join(store(), id), ""); return new FakeAgent(id, options); },
  async resume(id, options) {
    key();
    if (!id.startsWith("bc-") && !existsSync(join(store(), id))) fail("AgentNotFoundError", "Agent " + id + " not found", { code: "agent_not_found" });
    return new FakeAgent(id, options);
  },
  async list({ runtime }) {
    return { items: runtime === "cloud" ? [{ agentId: "bc-1", name: "In the cloud", status: "running", lastModified: 86400000 }] : [{ agentId: "agent-1", name: "Here", cwd: "/p", lastModified: 0 }] };
  },
  async listRuns(id) { return { items: [new Run(id, async function* () { yield text("Followed."); })] }; },
};
export const Cursor = {
  async me() { key(); return { userEmail: "me@example.com" }; },
  models: { async list() { key(); return [{ id: "fake-1", displayName: "Fake One" }, { id: "auto", displayName: "Auto" }]; } },
  auth: { async status() { return { status: "logged-out" }; }, async login() { return {}; } },
};
`;
