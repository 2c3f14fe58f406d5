import type { ControlSet } from "@gantry/protocol";

/** OpenCode's agents have their own permissions, so they can be chosen only in `inherit`. */
export const opencodeControls: ControlSet = {
  items: [
    {
      id: "agent",
      label: "Agent",
      choices: [
        { id: "build", label: "Build" },
        { id: "plan", label: "Plan" },
      ],
      open: true,
      modes: ["inherit"],
      live: false,
      maps: "the session's agent",
    },
  ],
  rules: [],
};
