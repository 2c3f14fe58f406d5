import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const grok: Vendor = {
  id: "grok",
  registryName: "@xai-official/grok",
  packageOf(version, platform) {
    const name = `@xai-official/grok-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/bin/grok`, packed: `${name}/bin/grok.br` };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".grok");
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "config.toml"), config(modelUrl));
    // Its requests for titles and summaries can come at any time.
    const quiet = { GROK_TITLE_REFRESH: "0", GROK_TURN_SUMMARY: "0", GROK_SESSION_RECAP: "0" };
    return { GROK_HOME: folder, GROK_TELEMETRY_ENABLED: "0", ...quiet };
  },
};

function config(modelUrl: string): string {
  const key = fakeKey("sk-scripted");
  const model = (id: string, name: string) => `
[model.${id}]
model = "${id}"
name = "${name}"
base_url = "${modelUrl}/v1"
api_key = "${key}"
context_window = 128000
`;
  return `[cli]
auto_update = false

[models]
default = "scripted-model"
${model("scripted-model", "Scripted Model")}${model("scripted-mini", "Scripted Mini")}`;
}
