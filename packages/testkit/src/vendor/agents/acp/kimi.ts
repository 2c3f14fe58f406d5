import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const kimi: Vendor = {
  id: "kimi",
  registryName: "@moonshot-ai/kimi-code",
  packageOf(version) {
    const name = "@moonshot-ai/kimi-code";
    return { spec: `${name}@${version}`, program: `${name}/dist/main.mjs` };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".kimi-code");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), config(modelUrl));
    return { KIMI_CODE_HOME: folder, KIMI_CODE_NO_AUTO_UPDATE: "1" };
  },
};

function config(modelUrl: string): string {
  return `default_model = "scripted/scripted-model"
telemetry = false

[loop_control]
max_attempts_per_step = 2

[providers.scripted]
type = "openai"
base_url = ${JSON.stringify(`${modelUrl}/v1`)}
api_key = ${JSON.stringify(fakeKey("sk-scripted"))}

${model("scripted-model")}
${model("scripted-other")}`;
}

function model(name: string): string {
  return `[models."scripted/${name}"]
provider = "scripted"
model = "${name}"
max_context_size = 262144
capabilities = ["thinking", "tool_use", "image_in"]
`;
}
