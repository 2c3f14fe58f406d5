import type { ControlSet } from "@gantry/protocol";

export const PERMISSION_MODE = "permission-mode";
export const OUTPUT_STYLE = "output-style";

/** Claude Code's settings beyond the ladder of modes. Its classifier decides in `auto`, so that needs full-auto. */
export const claudeControls: ControlSet = {
  items: [
    {
      id: PERMISSION_MODE,
      label: "Permission mode",
      choices: [
        { id: "plan", label: "Plan" },
        { id: "default", label: "Default", description: "asks before changes" },
        { id: "dontAsk", label: "Don't ask", description: "denies what it would ask for" },
        { id: "acceptEdits", label: "Accept edits" },
        { id: "auto", label: "Auto", description: "a classifier of Claude Code decides what runs without asking" },
        { id: "bypassPermissions", label: "Bypass permissions" },
      ],
      byMode: { plan: "plan", ask: "default", "auto-edit": "acceptEdits", "full-auto": "bypassPermissions" },
      live: true,
      maps: "--permission-mode",
    },
    {
      id: OUTPUT_STYLE,
      label: "Output style",
      choices: [
        { id: "default", label: "Default" },
        { id: "Explanatory", label: "Explanatory" },
        { id: "Learning", label: "Learning" },
      ],
      open: true,
      live: false,
      maps: "outputStyle of its settings",
    },
  ],
  rules: [
    { when: { [PERMISSION_MODE]: ["plan"] }, needs: "plan" },
    { when: { [PERMISSION_MODE]: ["default", "dontAsk"] }, needs: "ask" },
    { when: { [PERMISSION_MODE]: ["acceptEdits"] }, needs: "auto-edit" },
  ],
};
