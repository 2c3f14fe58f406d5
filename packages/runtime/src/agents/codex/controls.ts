import type { ControlSet, ControlValues } from "@gantry/protocol";

/** The value that leaves a permission to Codex's own configuration. */
export const CONFIG = "config-toml";

/** Codex's settings beyond the ladder of modes: approval policy, sandbox and speed. */
export const codexControls: ControlSet = {
  items: [
    {
      id: "approval",
      label: "Approvals",
      choices: [
        { id: "untrusted", label: "Untrusted", description: "asks for every patch and all but known safe commands" },
        { id: "on-request", label: "On request", description: "the model asks when it needs more than the sandbox" },
        {
          id: "on-failure",
          label: "On failure",
          description: "asks when the sandbox blocked a command; older versions",
        },
        { id: "never", label: "Never", description: "never asks; what the sandbox blocks fails" },
        { id: CONFIG, label: "config.toml", description: "as configured in Codex" },
      ],
      byMode: {
        plan: "on-request",
        ask: "untrusted",
        "auto-edit": "on-request",
        "full-auto": "never",
        inherit: CONFIG,
      },
      live: true,
      maps: "approvalPolicy of the thread",
    },
    {
      id: "sandbox",
      label: "Sandbox",
      choices: [
        { id: "read-only", label: "Read only" },
        { id: "workspace-write", label: "Workspace", description: "writes in the folder, no network" },
        { id: "danger-full-access", label: "None", description: "full access to the machine" },
        { id: CONFIG, label: "config.toml", description: "as configured in Codex" },
      ],
      byMode: {
        plan: "read-only",
        ask: "workspace-write",
        "auto-edit": "workspace-write",
        "full-auto": "danger-full-access",
        inherit: CONFIG,
      },
      live: true,
      maps: "sandbox of the thread",
    },
    {
      id: "fast",
      label: "Fast",
      choices: [
        { id: "on", label: "On", description: "faster answers that use more of the plan or cost more" },
        { id: "off", label: "Off" },
      ],
      live: true,
      maps: "service_tier",
    },
  ],
  rules: [
    { when: { sandbox: ["read-only"] }, needs: "plan" },
    { when: { sandbox: [CONFIG] }, needs: "inherit" },
    { when: { sandbox: ["workspace-write"], approval: [CONFIG] }, needs: "inherit" },
    { when: { sandbox: ["workspace-write"], approval: ["untrusted"] }, needs: "ask" },
    { when: { sandbox: ["workspace-write"], approval: ["on-request", "on-failure", "never"] }, needs: "auto-edit" },
  ],
};

/** The service tier for the control `fast`: `null` clears it, `undefined` leaves it unchanged. */
export function tierOf({ fast }: ControlValues): string | null | undefined {
  if (fast === undefined) return undefined;
  return fast === "on" ? "fast" : null;
}

/** The control `fast` for a reported service tier. Codex calls the fast tier `priority` or `fast`. */
export function fastOf(tier: unknown): "on" | "off" {
  return tier === "fast" || tier === "priority" ? "on" : "off";
}
