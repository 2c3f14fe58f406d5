import { fakeKey } from "../fake-key.ts";
import type { Vendor } from "../vendor.ts";

/** Cursor's SDK: a package without a program. Its path is the folder of the package. */
export const cursorSdk: Vendor = {
  id: "cursor-sdk",
  registryName: "@cursor/sdk",
  packageOf(version) {
    const name = "@cursor/sdk";
    return { spec: `${name}@${version}`, program: name };
  },
  environment(_home, modelUrl) {
    return { CURSOR_BACKEND_URL: modelUrl, CURSOR_API_KEY: fakeKey("key_scripted") };
  },
};
