import type { FaultProtocol } from "@gantry/testkit";
import type { FaultCase } from "./fault-case.ts";
import { generateCases } from "./generate-cases.ts";

const DONE = ["completed"];
const PROTOCOL = ["failed:protocol"];
const CRASHED = ["failed:crashed"];
const TIMEOUT = ["failed:timeout"];
const INTERRUPTED = ["interrupted"];
const REFUSED = ["failed:protocol", "failed:unknown"];

const acp = (expect: readonly string[], ...switches: string[]): FaultCase => ({ protocol: "acp", switches, expect });
const each = (expect: readonly string[], name: string, values: readonly string[]): FaultCase[] =>
  values.map((value) => acp(expect, `${name}:${value}`));

const answers: FaultCase[] = [
  ...["init-error", "new-error"].map((name) => acp(REFUSED, name)),
  ...["init-no-version", "init-null", "init-twice", "new-twice"].map((name) => acp(DONE, name)),
  ...each(PROTOCOL, "init-version", ["99", "0", '"1"', "null", "{}"]),
  ...each(PROTOCOL, "new-id", ["", "7", '""', "null", "{}"]),
  ...["new-huge-id", "new-null"].map((name) => acp(PROTOCOL, name)),
  ...["init-never", "new-never"].map((name) => acp(TIMEOUT, name)),
  acp(["failed:timeout"], "prompt-never"),
  ...["prompt-twice", "prompt-late-twice", "prompt-early", "prompt-slow"].map((name) => acp(DONE, name)),
  ...each(["failed:protocol"], "prompt-id", ["99", '"3"', "null", "{}"]),
  ...each(DONE, "prompt-result", ["{}", "null", "7", "[]"]),
  ...each(DONE, "prompt-stop", ['"tired"', "7", "null"]),
  ...each(["failed:unknown"], "prompt-error", ['{"code":1,"message":"No"}', '"broken"', "{}", "[]"]),
  acp(["failed:unknown"], "prompt-huge-error"),
  ...["cancel-end-turn", "cancel-never", "cancel-error", "cancel-exit"].map(
    (name): FaultCase => ({ ...acp(INTERRUPTED, name), stop: true }),
  ),
];

const updates: FaultCase[] = [
  ...each(DONE, "tool-id", ["", "7", "null", '""']),
  ...["tool-reused", "tool-alike", "tool-ends-twice", "tool-unannounced", "tool-huge-output"].map((name) =>
    acp(DONE, name),
  ),
  { ...acp(DONE, "tool-open:5000"), heavy: true },
  { ...acp(DONE, "tool-open-mixed:3000"), heavy: true },
  ...["deep-tool", "deep-request"].map((name) => acp(DONE, name)),
  ...each(DONE, "chunk-content", ["null", "7", "[]", '{"type":"text"}']),
  { ...acp(DONE, "chunk-huge"), heavy: true },
  { ...acp(DONE, "chunk-many:20000"), heavy: true },
  ...["update-unknown", "update-foreign", "state-idle", "commands-many"].map((name) => acp(DONE, name)),
  ...each(DONE, "update-shape", ["null", "[]", '"x"']),
  ...each(DONE, "update-session", ["7", "{}"]),
  { ...acp(DONE, "notification-unknown:5000"), heavy: true },
];

const requests: FaultCase[] = [
  ...["ask", "ask-foreign", "ask-twice", "request-unknown", "request-files", "ask-huge"].map((name) => acp(DONE, name)),
  ...each(DONE, "ask-options", ["[]", "null", '[{"name":"x"}]', '[{"optionId":"a","kind":"reject_once"}]']),
  ...each(DONE, "ask-id", ["null", "{}", "true"]),
  acp(DONE, "ask-many"),
];

/** Bytes and processes, for every protocol. */
const bytes = (protocol: FaultProtocol): FaultCase[] => {
  const of = (expect: readonly string[], ...switches: string[]): FaultCase => ({ protocol, switches, expect });
  return [
    ...["bom", "crlf", "blank", "noise", "values", "utf8", "deep", "proto", "oversize"].map((name) => of(DONE, name)),
    ...["broken", "half-line", "bare-cr", "pretty", "doubled"].map((name) => of(PROTOCOL, name)),
    { ...of(DONE, "garbage:100000"), heavy: true },
    { ...of(DONE, "stderr"), heavy: true },
    of([...PROTOCOL, ...TIMEOUT], "drip"),
    ...["exit", "kill-self", "exit-at-start"].map((name) => of(CRASHED, name)),
    ...["hang", "stop-self", "ignore-term", "spin"].map((name) => of(TIMEOUT, name)),
    of([...CRASHED, ...DONE], "child-group"),
    ...["child-session", "child-output", "child-many"].map((name) => of(DONE, name)),
  ];
};

const acpBytes: FaultCase[] = [
  ...bytes("acp"),
  acp(DONE, "batch"),
  acp(DONE, "batch-empty"),
  ...["exit-init", "exit-open"].map((name) => acp(CRASHED, name)),
  acp(DONE, "close-stdin"),
  acp([...CRASHED, ...TIMEOUT, ...PROTOCOL], "close-stdout"),
  acp([...DONE, ...PROTOCOL], "truncate-stdout"),
];

/** Responses that do not belong to a request, for the other protocols with requests. `unopened`: without a handshake. */
const replies = (protocol: FaultProtocol, unopened: readonly string[]): FaultCase[] => {
  const of = (expect: readonly string[], ...switches: string[]): FaultCase => ({ protocol, switches, expect });
  return [
    ...["99", '"unknown"', "null", "{}"].map((id) => of(unopened, `greeting-id:${id}`)),
    // The events of the turn report its end.
    ...["99", '"unknown"', "null", "{}"].map((id) => of(DONE, `reply-id:${id}`)),
    ...["reply-twice", "reply-unknown"].map((name) => of(DONE, name)),
  ];
};

/** Several faults at once. */
const combined: FaultCase[] = [
  acp(DONE, "bom", "noise", "tool-reused", "ask", "prompt-twice"),
  acp(DONE, "crlf", "blank", "tool-alike", "update-foreign", "ask-id:null", "prompt-late-twice"),
  acp(DONE, "garbage:2000", "deep-tool", "chunk-content:7", 'prompt-stop:"tired"'),
  acp(CRASHED, "noise", "tool-open:500", "child-many", "pause:800", "exit:9"),
  acp(TIMEOUT, "child-session", "tool-open:300", "ignore-term"),
  { ...acp(INTERRUPTED, "tool-open:500", "ask-many", "cancel-exit"), stop: true },
  { ...acp(INTERRUPTED, "garbage:1000", "child-many", "cancel-never"), stop: true },
  acp(DONE, "batch", "tool-id:7", "ask-options:[]", "state-idle", "prompt-early"),
];

const written: readonly FaultCase[] = [
  ...answers,
  ...updates,
  ...requests,
  ...acpBytes,
  ...combined,
  ...bytes("scripted"),
  ...bytes("claude"),
  ...bytes("codex"),
  ...bytes("amp"),
  ...bytes("gantry"),
];

/** The cases of the table: those above, and a few combinations. `npm run faults -- --random` generates others. */
export const faultCases: readonly FaultCase[] = [
  ...written,
  ...replies("claude", TIMEOUT),
  ...replies("codex", PROTOCOL),
  ...replies("gantry", TIMEOUT),
  ...generateCases(written, 24, 2026),
];
