import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fakeKey } from "../../fake-key.ts";
import type { Vendor } from "../../vendor.ts";

export const auggie: Vendor = {
  id: "auggie",
  registryName: "@augmentcode/auggie",
  packageOf(version) {
    const name = "@augmentcode/auggie";
    return { spec: `${name}@${version}`, program: `${name}/augment.mjs` };
  },
  /** Its models are reached through its vendor's service, which the scripted model replaces. */
  environment(home, modelUrl) {
    const folder = join(home, ".augment");
    mkdirSync(folder, { recursive: true });
    // Otherwise it asks in every new folder for consent to upload the folder to its vendor.
    const settings = { indexingAllowDirs: [join(home, "project")], autoUpdate: false };
    writeFileSync(join(folder, "settings.json"), `${JSON.stringify(settings, null, 2)}\n`);
    const session = { accessToken: fakeKey("scripted"), tenantURL: `${modelUrl}/`, scopes: ["read", "write"] };
    return { AUGMENT_SESSION_AUTH: JSON.stringify(session), AUGMENT_DISABLE_AUTO_UPDATE: "1", DO_NOT_TRACK: "1" };
  },
};
