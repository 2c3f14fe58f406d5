// The agent in a separate process, with a tool of this program and approvals that it decides.
import { RpcClient } from "@gantry/agent/rpc";

const client = await RpcClient.start({
  args: ["--no-session", "--permission-mode", "ask"],
  ui(request) {
    if (request.method !== "select" || !request.approval) return undefined; // Cancels any other dialog.
    console.log("asked:", request.title);
    return "Allow once";
  },
  onProblem: (message) => console.error(message),
});

await client.setTools([
  {
    name: "weather",
    description: "The weather of a city.",
    parameters: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    run: ({ city }) => `Sunny in ${city}, 21 °C.`,
  },
]);
client.on("tool_execution_end", ({ toolName, isError }) => console.log(toolName, isError ? "failed" : "done"));

const { model } = await client.commands.getState();
console.log("model:", model?.id);
const { reason, text } = await client.run(process.argv[2] ?? "What is the weather in Oslo?");
console.log(reason, text);
const { code } = await client.close();
process.exitCode = code ?? 1;
