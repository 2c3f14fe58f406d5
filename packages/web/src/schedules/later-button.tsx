import { Clock } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";

const LaterDialog = lazyView(async () => ({ default: (await import("./later-dialog.tsx")).LaterDialog }));

type LaterButtonProps = { session: string; text: string; onDone: () => void };

/** Opens what sends the draft at another time. */
export function LaterButton({ session, text, onDone }: LaterButtonProps) {
  const [open, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    onDone();
  };
  return (
    <>
      <Button look="quiet" label="Schedule" icon={<Clock size={15} />} onClick={() => setOpen(true)} />
      {open && <LaterDialog session={session} text={text} onClose={() => setOpen(false)} onDone={done} />}
    </>
  );
}
