export type VendorAgent = "claude" | "codex" | "opencode";

/** What to install for one agent on one platform, and where its program lies then. */
export interface VendorPackage {
  /** What `npm install` is given. */
  spec: string;
  /** The program, from `node_modules` on. */
  program: string;
}

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;
type Platform = (typeof PLATFORMS)[number];

const CODEX_TRIPLES: Record<Platform, string> = {
  "linux-x64": "x86_64-unknown-linux-musl",
  "linux-arm64": "aarch64-unknown-linux-musl",
  "darwin-x64": "x86_64-apple-darwin",
  "darwin-arm64": "aarch64-apple-darwin",
};

/**
 * The vendor's package for this platform: the native program without launcher and without install script.
 * Throws for a platform that the vendors do not serve this way.
 */
export function vendorPackage(
  agent: VendorAgent,
  version: string,
  platform: string = `${process.platform}-${process.arch}`,
): VendorPackage {
  if (!isPlatform(platform)) {
    throw new Error(`No vendor binary of ${agent} for ${platform}: this works on ${PLATFORMS.join(", ")}.`);
  }
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) {
    throw new Error(`The version of ${agent} must be exact, such as 1.2.3, not "${version}".`);
  }
  switch (agent) {
    case "claude": {
      const name = `@anthropic-ai/claude-code-${platform}`;
      return { spec: `${name}@${version}`, program: `${name}/claude` };
    }
    case "codex":
      return {
        spec: `codex-native@npm:@openai/codex@${version}-${platform}`,
        program: `codex-native/vendor/${CODEX_TRIPLES[platform]}/bin/codex`,
      };
    case "opencode": {
      const name = `opencode-${platform}`;
      return { spec: `${name}@${version}`, program: `${name}/bin/opencode` };
    }
  }
}

function isPlatform(platform: string): platform is Platform {
  return (PLATFORMS as readonly string[]).includes(platform);
}
