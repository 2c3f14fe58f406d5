/**
 * Commits batches of ten events as fast as it can and prints each acknowledged commit, until it is killed.
 * Argument: the path of the database.
 */
import { writeSync } from "node:fs";
import { openStore } from "../sqlite/open.ts";
import { Script, textDone } from "./events.ts";

const script = new Script("ses_crash");
const store = openStore(process.argv[2] ?? "");
const { session } = script;

script.seq = store.lastSeq(session);
script.view = store.sessions.get(session)?.view;
if (script.seq === 0) store.commit({ session, events: [...script.create(), ...script.add(...nine())] });
for (;;) {
  const events = script.add(textDone("one"), ...nine());
  const offset = script.seq * 100;
  store.commit({ session, events, view: script.view, spool: { process: "prc_crash", offset } });
  writeSync(1, `${script.seq}\n`);
}

function nine() {
  return Array.from({ length: 9 }, (_, i) => textDone(`text ${i} ${"x".repeat(i * 50)}`));
}
