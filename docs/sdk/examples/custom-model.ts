// A model at a private address, with a key that only this process knows. No file of the machine is read or written.
import { createAgentSession, createKeys, createModelList, isolatedSettings } from "@gantry/agent";

const { session } = await createAgentSession({
  registry: createModelList([
    {
      provider: "company",
      id: "large",
      api: "openai-completions",
      baseUrl: process.env.COMPANY_MODELS ?? "http://127.0.0.1:8080/v1",
      contextWindow: 200_000,
      maxTokens: 8_192,
    },
  ]),
  credentials: createKeys({ company: process.env.COMPANY_KEY ?? "" }),
  model: "company/large",
  settings: isolatedSettings({ "retry.enabled": false }),
  store: "memory",
  rules: false,
  skills: false,
  mcp: false,
});

const { reason, text, errorMessage } = await session.prompt(process.argv[2] ?? "What can you do?");
console.log(reason, errorMessage ?? text);
console.log(session.stats().tokens);
await session.dispose();
