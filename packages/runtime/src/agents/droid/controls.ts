import { type ControlSet, type ControlValues, type Mode, permitControls } from "@gantry/protocol";

/** Droid's autonomy levels. `auto-medium` runs commands such as installs and commits without asking. */
export const droidControls: ControlSet = {
  items: [
    {
      id: "autonomy",
      label: "Autonomy",
      choices: [
        { id: "off", label: "Off", description: "asks for everything but reading" },
        { id: "auto-low", label: "Low", description: "edits and low-risk commands without asking" },
        { id: "auto-medium", label: "Medium", description: "also reversible commands, such as installs and commits" },
        { id: "auto-high", label: "High", description: "never asks" },
      ],
      byMode: { plan: "off", ask: "off", "auto-edit": "auto-low", "full-auto": "auto-high" },
      live: false,
      maps: "autonomyLevel of the session",
    },
  ],
  rules: [
    { when: { autonomy: ["off"] }, needs: "plan" },
    { when: { autonomy: ["auto-low"] }, needs: "auto-edit" },
  ],
};

/** Droid's name of the autonomy level that the session chose, if its mode permits it. */
export function chosenLevel(mode: Mode, controls: ControlValues = {}): string | undefined {
  return permitControls(droidControls, mode, controls).values.autonomy?.replace(/^auto-/, "");
}

/** The control for a level that Droid reports. */
export function autonomyOf(level: string): string {
  return level === "off" ? level : `auto-${level}`;
}
