// Completes package-lock.json after `npm install`. A registry mirror may have the native packages of one platform only;
// npm then omits the others from the lock file, and `npm ci` fails on other platforms. The missing entries are added from
// the optional dependencies of their dependents; npm needs only version and platform to skip or fetch them.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./steps.ts";

type Entry = {
  version?: string;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  optionalDependencies?: Record<string, string>;
};

const OPERATING_SYSTEMS = [
  "android",
  "darwin",
  "freebsd",
  "linux",
  "netbsd",
  "openbsd",
  "openharmony",
  "sunos",
  "aix",
  "win32",
];
const PROCESSORS = ["x64", "arm64", "arm", "ia32", "ppc64", "riscv64", "s390x", "wasm32", "loong64", "mips64el"];

const path = join(root, "package-lock.json");
const lock = JSON.parse(readFileSync(path, "utf8")) as { packages: Record<string, Entry> };
let added = 0;
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key] || !/^\d/.test(version)) continue;
    lock.packages[key] = { version, ...platform(name), ...(parent.dev ? { dev: true } : {}), optional: true };
    added++;
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added} packages of other platforms added to package-lock.json\n`);

/** `binding-linux-arm64-musl` runs on linux, arm64, musl. */
function platform(name: string): Pick<Entry, "os" | "cpu" | "libc"> {
  const parts = name.split(/[/-]/);
  const os = OPERATING_SYSTEMS.filter((value) => parts.includes(value));
  const cpu = PROCESSORS.filter((value) => parts.includes(value));
  const libc = parts.some((part) => part.startsWith("musl")) ? ["musl"] : parts.includes("gnu") ? ["glibc"] : [];
  return { ...(os.length ? { os } : {}), ...(cpu.length ? { cpu } : {}), ...(libc.length ? { libc } : {}) };
}
