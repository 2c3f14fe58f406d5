// A language server that reports what it received, for cases that no real server shows. Tests run it as a program.
import { writeFileSync } from "node:fs";
import { Framing, framed } from "../framing.ts";

type Message = { id?: number; method?: string; params?: Record<string, unknown>; result?: unknown };

const received: Record<string, unknown> = { args: process.argv.slice(2) };
const waiting = new Map<number, (result: unknown) => void>();
let count = 1000;

const send = (message: Record<string, unknown>) => process.stdout.write(framed({ jsonrpc: "2.0", ...message }));
const ask = (method: string, params: unknown) =>
  new Promise<unknown>((resolve) => {
    const id = ++count;
    waiting.set(id, resolve);
    send({ id, method, params });
  });

const ANSWERS: Record<string, (params: Record<string, unknown>) => unknown> = {
  initialize(params) {
    received.initOptions = params.initializationOptions;
    return { capabilities: { hoverProvider: true, documentFormattingProvider: true, executeCommandProvider: {} } };
  },
  async "textDocument/hover"() {
    received.asked = await ask("workspace/configuration", {
      items: [{ section: "deep.inner" }, { section: "none" }, {}],
    });
    return { contents: JSON.stringify(received) };
  },
  "textDocument/formatting": () => [
    { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 3 } }, newText: "SHAPED" },
  ],
  "workspace/executeCommand": (params) =>
    ask("workspace/applyEdit", { edit: (params.arguments as unknown[] | undefined)?.[0] }),
  shutdown: () => null,
};

async function take({ id, method, params = {}, result }: Message): Promise<void> {
  if (method === undefined) return waiting.get(id ?? 0)?.(result);
  if (method === "workspace/didChangeConfiguration") received.settings = params.settings;
  if (method === "textDocument/didOpen" || method === "textDocument/didChange") {
    const { uri } = params.textDocument as { uri: string };
    const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
    const message = `seen by ${process.argv[2] ?? "no one"}`;
    send({ method: "textDocument/publishDiagnostics", params: { uri, diagnostics: [{ range, message }] } });
  }
  if (method === "exit") {
    if (process.argv[3]) writeFileSync(process.argv[3], "ended");
    process.exit(0);
  }
  if (id !== undefined) send({ id, result: (await ANSWERS[method]?.(params)) ?? null });
}

const framing = new Framing();
process.stdin.on("data", (chunk: Buffer) => {
  for (const text of framing.take(chunk)) void take(JSON.parse(text) as Message);
});
