import { auggie } from "./agents/acp/auggie.ts";
import { cline } from "./agents/acp/cline.ts";
import { copilot } from "./agents/acp/copilot.ts";
import { gemini } from "./agents/acp/gemini.ts";
import { grok } from "./agents/acp/grok.ts";
import { kilo } from "./agents/acp/kilo.ts";
import { kimi } from "./agents/acp/kimi.ts";
import { nanocoder } from "./agents/acp/nanocoder.ts";
import { opencode } from "./agents/acp/opencode.ts";
import { qwen } from "./agents/acp/qwen.ts";
import { claude } from "./agents/claude.ts";
import { codex } from "./agents/codex.ts";
import { cursorSdk } from "./agents/cursor-sdk.ts";
import { droid } from "./agents/droid.ts";
import { omp } from "./agents/omp.ts";
import { pi } from "./agents/pi.ts";
import { type Platform, platforms, type Vendor, type VendorPackage } from "./vendor.ts";

/** Every vendor whose program is in the package registry. */
export const vendors: readonly Vendor[] = [
  claude,
  codex,
  gemini,
  opencode,
  qwen,
  kimi,
  droid,
  copilot,
  grok,
  pi,
  omp,
  kilo,
  cline,
  auggie,
  nanocoder,
  cursorSdk,
];

/** The vendor of an agent. Throws if its program is not in the package registry. */
export function vendorOf(agent: string): Vendor {
  const vendor = vendors.find(({ id }) => id === agent);
  if (!vendor) throw new Error(`No vendor's program is known for ${agent}.`);
  return vendor;
}

/**
 * The vendor's package for this platform, without install script. Throws for a version that is not exact and for a
 * platform that the vendors do not serve this way.
 */
export function vendorPackage(
  agent: string,
  version: string,
  platform: string = `${process.platform}-${process.arch}`,
): VendorPackage {
  if (!isPlatform(platform)) {
    throw new Error(`No vendor binary of ${agent} for ${platform}: this works on ${platforms.join(", ")}.`);
  }
  if (!/^\d+\.\d+\.\d+[\w.-]*$/.test(version)) {
    throw new Error(`The version of ${agent} must be exact, such as 1.2.3, not "${version}".`);
  }
  return vendorOf(agent).packageOf(version, platform);
}

function isPlatform(platform: string): platform is Platform {
  return (platforms as readonly string[]).includes(platform);
}
