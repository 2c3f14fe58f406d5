import { join } from "node:path";
import { fakeKey } from "../fake-key.ts";
import type { Vendor } from "../vendor.ts";

export const claude: Vendor = {
  id: "claude",
  registryName: "@anthropic-ai/claude-code",
  packageOf(version, platform) {
    const name = `@anthropic-ai/claude-code-${platform}`;
    return { spec: `${name}@${version}`, program: `${name}/claude` };
  },
  environment(home, modelUrl) {
    return {
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: fakeKey("sk-ant-scripted"),
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      DISABLE_AUTOUPDATER: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      CLAUDE_CODE_MAX_RETRIES: "1",
      IS_SANDBOX: "1",
    };
  },
};
