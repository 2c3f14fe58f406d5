import { Clock } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";

const ScheduleDialog = lazyView(async () => ({ default: (await import("./schedule-dialog.tsx")).ScheduleDialog }));

type ScheduleButtonProps = { session: string; text: string; onDone: () => void };

/** Opens the dialog that schedules the draft. */
export function ScheduleButton({ session, text, onDone }: ScheduleButtonProps) {
  const [open, setOpen] = useState(false);
  const done = () => {
    setOpen(false);
    onDone();
  };
  return (
    <>
      <Button look="quiet" label="Schedule" icon={<Clock size={15} />} onClick={() => setOpen(true)} />
      {open && <ScheduleDialog session={session} text={text} onClose={() => setOpen(false)} onDone={done} />}
    </>
  );
}
