// The least that a Node server with Gantry's promises must do for an event of an ACP agent: the agent writes to a file, the
// server reads it, parses each line, stringifies an event, commits it to SQLite, and only then sends it to the client. It
// decodes no protocol, checks no rule, redacts nothing and keeps no view. Usage: durable-floor-server.ts <port> <folder>.
import { spawn } from "node:child_process";
import { closeSync, openSync, readSync, watch, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type AgentFrame, acpAgent } from "../agents/bare-pipe.ts";

const BATCH = 128;
const [port = "0", folder = "."] = process.argv.slice(2);
const output = join(folder, "agent.out");
const database = new DatabaseSync(join(folder, "floor.db"));
database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
  CREATE TABLE events (seq INTEGER PRIMARY KEY, item TEXT, data TEXT NOT NULL)`);
const insert = database.prepare("INSERT INTO events VALUES (?, ?, ?)");
let reader: ServerResponse | undefined;
let seq = 0;

createServer((request, response) => {
  if (request.url === "/events") {
    reader = response.writeHead(200, { "content-type": "text/event-stream" });
    return void response.flushHeaders();
  }
  let prompt = "";
  request.on("data", (part) => {
    prompt += part;
  });
  request.on("end", () => {
    if (request.method === "POST") play(prompt);
    response.end("{}");
  });
}).listen(Number(port), "127.0.0.1");

function play(prompt: string): void {
  writeFileSync(output, "");
  const [program = "", ...args] = acpAgent.command;
  const stdout = openSync(output, "a");
  const child = spawn(program, args, { cwd: folder, stdio: ["pipe", stdout, "ignore"] });
  closeSync(stdout);
  const send = (frame: object) => void child.stdin?.write(`${JSON.stringify(frame)}\n`);
  for (const frame of acpAgent.hello(folder)) send(frame);
  follow((frame) => {
    const next = acpAgent.promptAfter(frame, prompt);
    if (next) send(next);
    if (acpAgent.isEnd(frame)) child.kill();
  });
}

/** Reads the agent's file, at most `BATCH` lines per turn of the event loop. */
function follow(onFrame: (frame: AgentFrame) => void): void {
  const file = openSync(output, "r");
  const chunk = Buffer.allocUnsafe(BATCH * 330);
  let [rest, isScheduled] = ["", false];
  const step = () => {
    isScheduled = false;
    const size = readSync(file, chunk);
    if (size === 0) return;
    const lines = (rest + chunk.toString("latin1", 0, size)).split("\n");
    rest = lines.pop() ?? "";
    if (lines.length > 0)
      commit(
        lines.map((line) => JSON.parse(line) as AgentFrame),
        onFrame,
      );
    schedule();
  };
  const schedule = () => {
    if (!isScheduled) setImmediate(step);
    isScheduled = true;
  };
  watch(output, schedule);
  schedule();
}

function commit(frames: AgentFrame[], onFrame: (frame: AgentFrame) => void): void {
  let text = "";
  database.exec("BEGIN");
  for (const frame of frames) {
    onFrame(frame);
    const data = JSON.stringify({ seq: ++seq, ts: Date.now(), data: frame });
    insert.run(seq, String(seq), data);
    text += `id: ${seq}\nevent: event\ndata: ${data}\n\n`;
  }
  database.exec("COMMIT");
  reader?.write(text);
}
