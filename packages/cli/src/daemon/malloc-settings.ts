/**
 * Settings of glibc's allocator for the daemon; other systems ignore them. Buffers of 32 kB and more get separate pages,
 * which the system has back as soon as they are freed. Without this, smaller things that live longer lie between them, and the
 * memory of a burst is never returned: docs/internals/performance.md. `./gantry`, `scripts/bootstrap.mjs` and the launcher of
 * the package (`scripts/pack/command.ts`) set the same.
 */
export const MALLOC_SETTINGS = { MALLOC_MMAP_THRESHOLD_: "32768", MALLOC_TRIM_THRESHOLD_: "131072" };

/** Removes them from an environment: a process reads them at its start only, and agents must not inherit them. */
export function dropMallocSettings(env: Record<string, string | undefined>): void {
  for (const [name, value] of Object.entries(MALLOC_SETTINGS)) if (env[name] === value) delete env[name];
}
