// Conversations are stored as files: list them, continue one, try something in a copy.
import { createAgentSession, sessions } from "@gantry/agent";

const prompt = process.argv[2] ?? "Remember the word heron.";

const first = await createAgentSession();
await first.session.prompt(prompt);
await first.session.setName("birds");
await first.session.dispose();

for (const { id, title, firstMessage } of sessions.list()) console.log(id, title, firstMessage);

const [recent] = sessions.list();
if (!recent) throw new Error("Nothing was stored.");

const resumed = await createAgentSession({ resume: recent.id });
await resumed.session.prompt(prompt);
console.log("resumed:", resumed.session.messages().length, "messages");
await resumed.session.dispose();

const copy = await createAgentSession({ store: sessions.fork(recent.file) });
console.log("copied:", copy.session.id !== recent.id, copy.session.messages().length, "messages");
await copy.session.dispose();

const temporary = await createAgentSession({ store: "memory" });
await temporary.session.prompt(prompt);
console.log("in memory:", temporary.session.sessionFile === undefined, sessions.list().length, "files");
await temporary.session.dispose();
