import type { Offer } from "@gantry/protocol";
import { KeyRound, SquareTerminal } from "lucide-react";
import { Button, type ButtonProps } from "../../ui/controls/button.tsx";
import { CopyButton } from "../../ui/controls/copy-button.tsx";
import { useRunSetup } from "./run-setup.ts";

/** A command that installs an agent or logs it in: run it here, or copy it. */
export function SetupCommand({ offer, look = "plain" }: { offer: Offer; look?: ButtonProps["look"] }) {
  const run = useRunSetup();
  return (
    <div className="flex min-w-0 items-center gap-1.5">
      <Button
        look={look}
        icon={offer.keys ? <KeyRound size={14} /> : <SquareTerminal size={14} />}
        onClick={() => run(offer)}
      >
        {offer.title}
      </Button>
      <code title={offer.display} className="min-w-0 truncate font-mono text-xs text-faint">
        {offer.display}
      </code>
      <CopyButton text={offer.display} label={`Copy command: ${offer.title}`} />
    </div>
  );
}
