/** What to install for one agent on one platform, and where its program lies then. */
export interface VendorPackage {
  /** What `npm install` is given. */
  spec: string;
  /** The program, from `node_modules` on. */
  program: string;
  /** Further packages that the program needs beside itself, with exact versions. */
  beside?: readonly string[];
}

export const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;
export type Platform = (typeof platforms)[number];

/** A vendor's own program: where it is to be had, and what it needs to run against a scripted model and nothing else. */
export interface Vendor {
  /** The agent's id. */
  readonly id: string;
  /** The name in the package registry whose `latest` is this agent's newest version. */
  readonly registryName: string;
  /** The program for this platform, in exactly this version. */
  packageOf(version: string, platform: Platform): VendorPackage;
  /**
   * The agent's own part of a hermetic environment. Writes what configuration it needs below `home`; `modelUrl` is the
   * scripted model's address without a path, `program` the program's own path where it is known.
   */
  environment(home: string, modelUrl: string, program?: string): Record<string, string>;
  /** The folder of what the program itself runs on, where that was installed beside it. */
  runsOn?(program: string): string;
}
