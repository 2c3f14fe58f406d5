import { createSessionStore } from "../../session-files/open.ts";
import { FakeModel, fakeTool, startSession } from "./fakes.fake.ts";

// A session in a separate process, in the middle of a tool that never ends. The test kills it.
const [dir = ""] = process.argv.slice(2);
const store = createSessionStore({ cwd: "/", dir });
const model = new FakeModel({ text: "I begin.", calls: [{ name: "quick" }, { name: "endless" }] });
const { session } = await startSession(model, {
  store,
  tools: [
    fakeTool("quick", () => "done before"),
    fakeTool("endless", ({ progress }) => {
      progress("begun");
      return new Promise(() => setInterval(() => undefined, 1_000));
    }),
  ],
});
session.subscribe((event) => {
  if (event.type === "message_end" && event.message.role === "toolResult") process.stdout.write(`${store.file}\n`);
});
await session.prompt("go");
