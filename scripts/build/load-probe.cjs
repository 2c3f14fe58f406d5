// Preloaded by bundle.test.ts. Prints the loaded chunks and modules of Node as one line of JSON on stderr, then exits.
const { writeSync } = require("node:fs");
const { basename } = require("node:path");
const Module = require("node:module");

const files = [];
const { load } = Module.prototype;
Module.prototype.load = function (file) {
  if (file.endsWith(".js")) files.push(basename(file));
  return load.call(this, file);
};

function print() {
  const prefix = "NativeModule ";
  const builtins = process.moduleLoadList.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  writeSync(2, `\n${JSON.stringify({ files, builtins })}\n`);
}

const stopAt = process.env.PROBE_STOP_AT;
process.once("exit", print);
if (stopAt === "listen" || stopAt === "connect") {
  const { Server, Socket } = require("node:net");
  const owner = stopAt === "listen" ? Server : Socket;
  owner.prototype[stopAt] = () => process.exit();
}
const OUTPUTS = { answer: '"get_state"', ready: '"ready":true' };
if (stopAt in OUTPUTS) {
  const write = process.stdout.write;
  process.stdout.write = function (text, ...rest) {
    if (String(text).includes(OUTPUTS[stopAt])) setImmediate(() => process.exit());
    return write.call(this, text, ...rest);
  };
}
