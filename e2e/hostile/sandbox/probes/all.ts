import type { Probe } from "../probe.ts";
import { CHANNEL_PROBES } from "./channels.ts";
import { FILE_PROBES } from "./files.ts";
import { GIT_PROBES } from "./git.ts";
import { KERNEL_PROBES } from "./kernel.ts";

export const PROBES: readonly Probe[] = [...FILE_PROBES, ...CHANNEL_PROBES, ...KERNEL_PROBES, ...GIT_PROBES];
