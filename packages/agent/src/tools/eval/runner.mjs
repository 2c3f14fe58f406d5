// A JavaScript kernel: lines of JSON in, lines of JSON out. The code runs in the main thread, in V8's own mode for
// consoles (top-level await, declarations that may be repeated); a worker reads what comes and can stop a busy loop.
import { createReadStream, writeSync } from "node:fs";
import { Session } from "node:inspector";
import { createRequire } from "node:module";
import { isAbsolute, join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import vm from "node:vm";
import { isMainThread, parentPort, Worker } from "node:worker_threads";

if (isMainThread) runMain();
else runReader();

/** Reads while the main thread is busy. */
function runReader() {
  const input = createReadStream("", { fd: 0, autoClose: false });
  createInterface({ input, terminal: false })
    .on("line", (line) => {
      const frame = JSON.parse(line);
      if (frame.type === "exit") process.exit(0);
      else if (frame.type === "interrupt") process.kill(process.pid, "SIGINT");
      else parentPort.postMessage(frame);
    })
    .on("close", () => process.exit(0));
}

function write(frame) {
  const bytes = Buffer.from(`${JSON.stringify(frame)}\n`);
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(1, bytes, at);
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

/** The cell that runs. */
let id = "0";

function runMain() {
  const calls = new Map();
  const execute = executor();
  let queue = Promise.resolve();
  const reader = new Worker(new URL(import.meta.url));
  reader.on("exit", () => process.exit(0));
  reader.on("message", (frame) => {
    if (frame.type !== "tool_result") {
      queue = queue.then(() => execute(frame));
      return;
    }
    const waiting = calls.get(frame.call);
    calls.delete(frame.call);
    if (frame.ok) waiting?.resolve(frame.value);
    else waiting?.reject(new Error(String(frame.value)));
  });
  coverStreams();
  giveGlobals(calls);
  const failed = (error) => write({ type: "stderr", id, data: `Uncaught ${inspect(error)}\n` });
  process.on("uncaughtException", failed);
  process.on("unhandledRejection", failed);
  write({ type: "ready" });
}

/** What code prints becomes frames; the real stdout is for nothing else. */
function coverStreams() {
  for (const name of ["stdout", "stderr"]) {
    const stream = {
      isTTY: false,
      write(data, encoding, done) {
        write({ type: name, id, data: typeof data === "string" ? data : Buffer.from(data).toString("utf8") });
        (typeof encoding === "function" ? encoding : done)?.();
        return true;
      },
      on: () => stream,
      once: () => stream,
      emit: () => false,
      end() {},
      removeListener: () => stream,
      listenerCount: () => 0,
    };
    Object.defineProperty(process, name, { value: stream, configurable: true });
  }
  const log =
    (name) =>
    (...values) =>
      process[name].write(`${values.map(text).join(" ")}\n`);
  for (const level of ["log", "info", "debug", "dir", "table"]) console[level] = log("stdout");
  for (const level of ["warn", "error", "trace"]) console[level] = log("stderr");
}

function giveGlobals(calls) {
  let count = 0;
  globalThis.require = createRequire(join(process.cwd(), "cell.js"));
  globalThis.__gantryImport = (name) => import(found(name));
  globalThis.display = (value) => void write({ type: "display", id, bundle: bundleOf(value) });
  globalThis.tool = new Proxy(Object.create(null), {
    get: (_, name) => (args) =>
      new Promise((resolve, reject) => {
        const call = ++count;
        calls.set(call, { resolve, reject });
        write({ type: "tool", id, call, name: String(name), args: args ?? {} });
      }),
  });
  Object.defineProperty(globalThis, "__gantryResult", {
    value: (value) => {
      if (value !== undefined) write({ type: "result", id, bundle: bundleOf(value) });
    },
  });
}

function executor() {
  const session = new Session();
  session.connect();
  let executions = 0;
  let interrupt = () => {};
  process.on("SIGINT", () => interrupt());
  const post = (method, params) =>
    new Promise((resolve, reject) => {
      session.post(method, params, (error, result) => (error ? reject(error) : resolve(result)));
    });

  async function evaluate(code) {
    let answer;
    const start = () => {
      answer = post("Runtime.evaluate", { expression: withoutImports(code), replMode: true, awaitPromise: true });
    };
    globalThis.__gantryRun = start;
    // Within this call a SIGINT ends even a loop that never gives way.
    vm.runInThisContext("__gantryRun()", { breakOnSigint: true });
    const { result, exceptionDetails } = await answer;
    if (exceptionDetails) {
      const { exception, text } = exceptionDetails;
      return { error: exception?.description ?? `${text} ${exception?.value ?? ""}` };
    }
    await show(result);
    return {};
  }

  async function show({ type, objectId, unserializableValue, value }) {
    if (type === "undefined") return;
    const argument = objectId ? { objectId } : unserializableValue ? { unserializableValue } : { value };
    const { result } = await post("Runtime.evaluate", { expression: "globalThis" });
    await post("Runtime.callFunctionOn", {
      objectId: result.objectId,
      functionDeclaration: "function (value) { __gantryResult(value); }",
      arguments: [argument],
    });
    if (objectId) await post("Runtime.releaseObject", { objectId });
  }

  return async (frame) => {
    id = frame.id;
    write({ type: "started", id });
    const interrupted = new Promise((resolve) => {
      interrupt = () => resolve({ error: "Interrupted" });
    });
    const outcome = await Promise.race([interrupted, evaluate(frame.code)]).catch(({ code, message }) => ({
      error: code === "ERR_SCRIPT_EXECUTION_INTERRUPTED" ? "Interrupted" : message,
    }));
    interrupt = () => {};
    const cancelled = outcome.error === "Interrupted";
    if (outcome.error !== undefined) write({ type: "error", id, ...errorOf(outcome.error) });
    const status = outcome.error === undefined ? "ok" : "error";
    write({ type: "done", id, status, executionCount: ++executions, cancelled });
  };
}

function errorOf(text) {
  const lines = text.split("\n").filter((line) => !/node:internal|runner\.mjs/.test(line));
  const [, ename = "Error", evalue = lines[0] ?? ""] =
    /^(\w*Error|Interrupted)(?:: (.*))?$/s.exec(lines[0] ?? "") ?? [];
  return { ename, evalue: evalue ?? "", traceback: lines };
}

/** Names as they would be found from the folder that the cells run in. */
function found(name) {
  if (/^[.]{0,2}\//.test(name)) return pathToFileURL(resolve(name)).href;
  try {
    const path = globalThis.require.resolve(name);
    return isAbsolute(path) ? pathToFileURL(path).href : path;
  } catch {
    return name;
  }
}

function text(value) {
  return typeof value === "string" ? value : inspect(value, { depth: 4, maxArrayLength: 200, maxStringLength: 20_000 });
}

function bundleOf(value) {
  if (
    value &&
    typeof value === "object" &&
    typeof value.type === "string" &&
    typeof value.data === "string" &&
    /^image\//.test(value.mimeType ?? "")
  ) {
    return { [value.mimeType]: value.data };
  }
  const bundle = { "text/plain": text(value) };
  if (value !== null && typeof value === "object") {
    try {
      const json = JSON.stringify(value);
      if (json !== undefined && json.length < 100_000) bundle["application/json"] = JSON.parse(json);
    } catch {
      // Not everything is JSON.
    }
  }
  return bundle;
}

/** Cells are no modules: what is imported at the beginning of a line is imported when the line is reached. */
function withoutImports(code) {
  return code
    .replace(/(?<![.\w$])import\s*\(/g, "__gantryImport(")
    .replace(
      /^([ \t]*)import\s+(?:([\w$]+)\s*(?:,\s*)?)?(?:\*\s*as\s+([\w$]+)|(\{[^}]*\}))?\s*(?:from\s*)?(["'][^"']+["'])\s*;?/gm,
      (_, indent, name, all, names, source) => {
        const parts = [];
        const module = `(await __gantryImport(${source}))`;
        if (name) parts.push(`var ${name} = ${module}.default;`);
        if (all) parts.push(`var ${all} = ${module};`);
        if (names) parts.push(`var ${names.replace(/\bas\b/g, ":")} = ${module};`);
        return indent + (parts.join(" ") || `await __gantryImport(${source});`);
      },
    );
}
