import type { Offer } from "@gantry/protocol";
import { Copy, SquareTerminal } from "lucide-react";
import { useRunSetup } from "../../agents/setup/run-setup.ts";
import { toast, toastError } from "../../store/toasts.ts";
import { Button } from "../../ui/controls/button.tsx";

/** The command that logs an agent in: run it in a terminal of the page, or copy it. */
export function LoginCommand({ offer }: { offer: Offer }) {
  const run = useRunSetup();
  const copy = () =>
    navigator.clipboard.writeText(offer.display).then(() => toast({ tone: "info", text: "Copied." }), toastError);
  return (
    <div className="flex items-center gap-2 border-t border-line bg-sunken px-3 py-2">
      <span className="shrink-0 text-soft">{offer.title}:</span>
      <code className="min-w-0 grow truncate font-mono text-xs">{offer.display}</code>
      <Button look="quiet" label="Copy command" icon={<Copy size={14} />} onClick={() => void copy()} />
      <Button icon={<SquareTerminal size={14} />} onClick={() => run(offer)}>
        Run in a terminal
      </Button>
    </div>
  );
}
