import { readFileSync } from "node:fs";
import type { Overlay } from "../contract.ts";

/** The settings of an overlay on top of the machine's. Throws if the machine's exist and cannot be read. */
export function readOverlay(
  { variable, path, settings }: Overlay,
  env: Readonly<Record<string, string | undefined>>,
): unknown {
  const machine = env[variable] || path;
  try {
    return mergeSettings(JSON.parse(readFileSync(machine, "utf8")), settings);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return settings;
    throw new Error(`${machine} cannot be read: ${(error as Error).message}`);
  }
}

function mergeSettings(below: unknown, above: unknown): unknown {
  if (Array.isArray(below) && Array.isArray(above)) return [...below, ...above];
  if (!isRecord(below) || !isRecord(above)) return above;
  const merged = Object.entries(above).map(([key, value]) => [key, mergeSettings(below[key], value)]);
  return { ...below, ...Object.fromEntries(merged) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
