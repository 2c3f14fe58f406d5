/** The package of one agent for one platform, and the path of its program. */
export interface VendorPackage {
  /** The argument of `npm install`. */
  spec: string;
  /** The program, from `node_modules` on. */
  program: string;
  /** Paths of the program in older versions of the package, which are laid out differently. */
  olderPrograms?: readonly string[];
  /** The program as the package holds it, compressed with Brotli; unpacked by the install. */
  packed?: string;
  /** Additional packages that the program needs, with exact versions. */
  companions?: readonly string[];
  /** The package's name, if its program contains all dependencies: only the package itself is installed. */
  bundled?: string;
}

export const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"] as const;
export type Platform = (typeof platforms)[number];

/** A vendor's program: where to install it from, and how to run it against the scripted model only. */
export interface Vendor {
  /** The agent's id. */
  readonly id: string;
  /** The name in the package registry whose `latest` is this agent's newest version. */
  readonly registryName: string;
  /** The program for this platform, in exactly this version. */
  packageOf(version: string, platform: Platform): VendorPackage;
  /**
   * The agent's part of a hermetic environment. Writes its configuration below `home`. `modelUrl` is the scripted model's
   * URL without a path, `program` the program's path if it is known.
   */
  environment(home: string, modelUrl: string, program?: string): Record<string, string>;
  /** The folder of the program's runtime, if that was installed with it. */
  runsOn?(program: string): string;
}
