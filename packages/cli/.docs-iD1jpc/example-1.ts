import { createClient } from "@gantry/client";
import { discover } from "@gantry/client/node";
import { homedir } from "node:os";
import { join } from "node:path";

const home = process.env.GANTRY_HOME ?? join(homedir(), ".gantry");
const client = createClient({ resolve: () => discover(home) });

const session = await client.sessions.create({
  agent: "scripted", // or claude, codex, gemini …
  cwd: process.cwd(),
  mode: "ask",
  prompt: "[[write]] Create hello.txt",
});

for await (const frame of client.follow(session.id)) {
  if ("live" in frame && frame.live.type === "delta") process.stdout.write(frame.live.text);
  if (!("event" in frame)) continue;
  const { event } = frame;
  if (event.type === "input.requested") await client.answer(event.data.id, { decision: "allow" });
  if (event.type === "tool.ended") console.log(`\n[${event.data.status}]`);
  if (event.type === "turn.ended") {
    console.log(`\n${event.data.outcome} at event ${event.seq}`);
    break;
  }
}
