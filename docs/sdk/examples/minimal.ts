import { createAgentSession, createTool } from "@gantry/agent";

const run = async ({ city }: Record<string, unknown>) => `Sunny in ${city}, 21 °C.`;
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const weather = createTool({ name: "weather", description: "The weather of a city.", parameters, run });

const { session } = await createAgentSession({ tools: [weather] });
const { text } = await session.prompt(process.argv[2] ?? "What is the weather in Oslo?");
console.log(text);
await session.dispose();
