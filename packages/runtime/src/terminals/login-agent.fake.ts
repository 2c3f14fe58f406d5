import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Stands for an agent that speaks ACP and wants a login before a conversation: a program that is logged in when the file
 * `logged-in` lies in its home. It answers in a terminal by asking for a word and logging in with it.
 */
export function writeLoginAgent(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, `#!${process.execPath}\n${SOURCE}`);
  chmodSync(path, 0o755);
  return path;
}

const SOURCE = `
const { existsSync, writeFileSync } = require("node:fs");
const { createInterface } = require("node:readline");
const { join } = require("node:path");
const file = join(process.env.HOME, "logged-in");
const authMethods = [
  { id: "key", name: "Use a key", description: "The key in its own file" },
  { id: "vain", name: "Log in in vain" },
  { id: "refused", name: "Be refused" },
  { id: "shell", type: "terminal", name: "Log in in a terminal" },
  { id: "variable", type: "env_var", name: "Set a variable", vars: [{ name: "LOGIN_KEY" }] },
];
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const needed = { code: -32000, message: "Authentication required" };

function answer({ id, method, params }) {
  const result = (value) => send({ id, result: value });
  const error = (value) => send({ id, error: value });
  if (method === "initialize") return result({ protocolVersion: 1, agentCapabilities: { loadSession: true }, authMethods });
  if (method === "authenticate") {
    if (params.methodId === "refused") return error({ code: -32603, message: "The login was refused." });
    if (params.methodId === "key") writeFileSync(file, "");
    return result({});
  }
  if (method === "session/new" || method === "session/load") return existsSync(file) ? result({ sessionId: "native-1" }) : error(needed);
  if (method !== "session/prompt") return error({ code: -32601, message: "Method not found" });
  const content = { type: "text", text: "Hello." };
  send({ method: "session/update", params: { sessionId: "native-1", update: { sessionUpdate: "agent_message_chunk", content } } });
  result({ stopReason: "end_turn" });
}

if (process.argv.includes("--version")) console.log("9.9.9");
else if (process.stdin.isTTY) {
  createInterface({ input: process.stdin, output: process.stdout }).question("Word? ", (word) => {
    writeFileSync(file, word);
    console.log("Logged in with " + word);
    process.exit(0);
  });
} else {
  createInterface({ input: process.stdin }).on("line", (line) => {
    const message = JSON.parse(line);
    if (message.id !== undefined && message.method) answer(message);
  });
}
`;
