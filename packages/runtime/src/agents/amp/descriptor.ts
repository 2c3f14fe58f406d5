import { defineAgent } from "../contract.ts";
import { streamJson } from "./channel.ts";
import { INSTALL, probe } from "./probe.ts";

/** Amp, one process per turn: it prints JSON lines and has no way to be asked or answered while it works. */
export const amp = defineAgent({
  id: "amp",
  name: "Amp",
  find: { bin: ["amp"], env: "GANTRY_AMP_BIN" },
  versions: { oldest: "0.0.1762", newest: "0.0.1762" },
  install: { npm: "@ampcode/cli", command: INSTALL },
  login: ["amp", "login"],
  channels: [streamJson],
  modes: {
    "auto-edit": "edits files; commands that its settings do not allow are refused",
    "full-auto": "does everything without asking",
    inherit: "as configured in the agent",
  },
  unenforced: {
    "auto-edit": "Amp runs the commands that its own settings allow, also all of them.",
  },
  projectCode: { paths: [".amp", ".mcp.json", ".vscode/settings.json"] },
  steer: "queue",
  resume: "id",
  fork: false,
  edits: false,
  // Amp offers working modes and chooses the models itself.
  fallbackModels: [
    { id: "low", name: "Low", default: false, efforts: [] },
    { id: "medium", name: "Medium", default: true, efforts: [] },
    { id: "high", name: "High", default: false, efforts: [] },
    { id: "ultra", name: "Ultra", default: false, efforts: [] },
  ],
  provider: "amp",
  probe,
});
