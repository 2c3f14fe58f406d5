import { setTimeout as sleep } from "node:timers/promises";
import { type FaultSwitches, nestedJson } from "../switch.ts";

/** Bytes on stdout and stderr: encoding, line ends, volume and timing. */
export const lineSwitches: FaultSwitches = {
  bom: { about: "a byte order mark before every line", any: true, line: (line) => `\ufeff${line}` },
  crlf: { about: "lines that end with CR LF", any: true, line: (line) => line.replace("\n", "\r\n") },
  "bare-cr": { about: "lines that end with CR only", any: true, line: (line) => line.replace("\n", "\r") },
  blank: { about: "blank lines between the lines", any: true, line: (line) => `\n \n${line}\n` },
  batch: { about: "every message in a JSON-RPC batch", line: (line) => `[${line.trim()}]\n` },
  "batch-empty": { about: "an empty batch", work: (agent) => agent.write("[]\n") },
  pretty: {
    about: "messages over several lines",
    any: true,
    line: (line) => `${JSON.stringify(JSON.parse(line), null, 2)}\n`,
  },
  broken: { about: "lines without their last byte", any: true, line: (line) => `${line.trim().slice(0, -1)}\n` },
  doubled: { about: "two messages on one line", any: true, line: (line) => `${line.trim()} ${line}` },
  noise: { about: "log messages between the lines", any: true, line: (line) => `npm WARN deprecated x@1\n${line}` },
  garbage: {
    about: "many lines that are not JSON",
    any: true,
    work: (agent, count) => {
      const lines = Array.from({ length: 100 }, (_, index) => `garbage ${index} ${"z".repeat(100)}\n`).join("");
      for (let index = 0; index < Number(count || 10_000); index += 100) agent.write(lines);
    },
  },
  values: {
    about: "JSON that is no message",
    any: true,
    work: (agent) => agent.write('1\nnull\n"x"\n[1,2]\n{}\ntrue\n{"a":1}\n'),
  },
  "half-line": {
    about: "half a line, and then nothing",
    any: true,
    line: (line) => line.trim().slice(0, Math.ceil(line.length / 2)),
  },
  drip: {
    about: "one byte at a time, without an end",
    any: true,
    work: (agent) => {
      setInterval(() => agent.write("x"), 20);
      return new Promise(() => {});
    },
  },
  pause: { about: "a pause", any: true, work: (_, ms) => sleep(Number(ms || 600)) },
  oversize: {
    about: "a line of 20 MB",
    any: true,
    work: (agent) =>
      agent.write(`${JSON.stringify({ jsonrpc: "2.0", method: "x/big", params: "x".repeat(20_000_000) })}\n`),
  },
  utf8: {
    about: "invalid UTF-8 and NUL",
    any: true,
    work: (agent) => agent.write(Buffer.from([0xff, 0xfe, 0x00, 0xc3, 0x28, 0x0a])),
  },
  deep: {
    about: "arrays that nest 100,000 levels deep",
    any: true,
    work: (agent) => agent.write(`${nestedJson(100_000)}\n`),
  },
  proto: {
    about: "messages with dangerous keys",
    any: true,
    work: (agent) => agent.write('{"__proto__":{"id":1},"constructor":1,"id":"__proto__","result":{}}\n'),
  },
  stderr: {
    about: "10 MB on stderr",
    any: true,
    work: () => void process.stderr.write(`${"error: noise\n".repeat(800_000)}`),
  },
};
