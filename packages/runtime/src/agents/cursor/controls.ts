import type { ControlSet } from "@gantry/protocol";

/** Cursor's own modes. `ask` answers questions and changes nothing. */
export const cursorControls: ControlSet = {
  items: [
    {
      id: "cursor-mode",
      label: "Cursor mode",
      choices: [
        { id: "agent", label: "Agent" },
        { id: "plan", label: "Plan" },
        { id: "ask", label: "Ask", description: "answers questions and changes nothing" },
      ],
      byMode: { plan: "plan", ask: "agent", "full-auto": "agent" },
      live: false,
      maps: "the session's mode",
    },
  ],
  rules: [
    { when: { "cursor-mode": ["plan", "ask"] }, needs: "plan" },
    { when: { "cursor-mode": ["agent"] }, needs: "ask" },
  ],
};
