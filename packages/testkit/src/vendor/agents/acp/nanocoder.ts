import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const nanocoder: Vendor = {
  id: "nanocoder",
  registryName: "@nanocollective/nanocoder",
  packageOf(version) {
    const name = "@nanocollective/nanocoder";
    return { spec: `${name}@${version}`, program: `${name}/dist/cli.js` };
  },
  environment(home, modelUrl) {
    const folder = join(home, ".config", "nanocoder");
    mkdirSync(folder, { recursive: true });
    const models = ["scripted-model", "scripted-mini"];
    const scripted = { name: "scripted", baseUrl: `${modelUrl}/v1`, apiKey: fakeKey("sk-scripted"), models };
    writeFileSync(
      join(folder, "agents.config.json"),
      `${JSON.stringify({ nanocoder: { providers: [scripted] } }, null, 2)}\n`,
    );
    return { XDG_CONFIG_HOME: join(home, ".config"), XDG_DATA_HOME: join(home, ".local", "share") };
  },
};
