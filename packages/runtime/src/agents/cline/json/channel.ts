import type { LaunchOptions } from "../../contract.ts";
import { text } from "../../fields.ts";
import { printChannel } from "../../json-lines/print-channel.ts";
import { type ClineState, line } from "./decode.ts";

/** `cline --json`, one process per turn, as recordings have it. What needs an approval is refused. */
export const json = printChannel<ClineState>({
  name: "json",
  launch: (options) => ({ args: argumentsFor(options) }),
  initial: () => ({}),
  line,
  isOurs: (found) => "ts" in found && ["hook_event", "agent_event", "run_result"].includes(text(found.type) ?? ""),
});

/** Splits `provider/id`. Only full-auto approves automatically. */
function argumentsFor({ model, mode, resume }: LaunchOptions): string[] {
  const [, provider, id] = /^([^/]+)\/(.+)$/.exec(model ?? "") ?? [];
  const chosen = provider && id ? ["-P", provider, "-m", id] : model ? ["-m", model] : [];
  const approve = mode === "inherit" ? [] : ["--auto-approve", String(mode === "full-auto")];
  return ["--json", ...approve, ...chosen, ...(resume ? ["--id", resume] : [])];
}
