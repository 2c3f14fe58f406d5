import { dirname, join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const copilot: Vendor = {
  id: "copilot",
  registryName: "@github/copilot",
  packageOf(version, platform) {
    const name = `@github/copilot-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/copilot` };
  },
  environment(_home, modelUrl, program) {
    return {
      // It unpacks 235 MB at its first start; this shares them between all homes.
      ...(program ? { COPILOT_PKG_CACHE_HOME: join(dirname(program), "unpacked") } : {}),
      COPILOT_OFFLINE: "true",
      COPILOT_MODEL: "scripted-model",
      COPILOT_PROVIDER_BASE_URL: `${modelUrl}/v1`,
      COPILOT_PROVIDER_API_KEY: fakeKey("sk-scripted"),
      COPILOT_AUTO_UPDATE: "false",
    };
  },
};
