import type { ScheduledSession } from "@gantry/protocol";
import { Clock } from "lucide-react";
import { useState } from "react";
import { Button } from "../ui/controls/button.tsx";
import { lazyView } from "../ui/load/lazy-view.tsx";
import type { ScheduledText } from "./schedule-draft.ts";

const NewScheduleDialog = lazyView(async () => ({
  default: (await import("./schedule-dialog.tsx")).NewScheduleDialog,
}));

type ScheduleButtonProps = {
  /** The session that gets the message. Without one, each run starts a session. */
  session?: string;
  /** The draft as it would be sent, and the settings of the session. Read when the button is pressed. */
  message: () => ScheduledText | undefined;
  create?: () => ScheduledSession;
  onDone: () => void;
};

/** Opens the dialog that schedules the draft. */
export function ScheduleButton({ session, message, create, onDone }: ScheduleButtonProps) {
  const [opened, setOpened] = useState<{ message?: ScheduledText; create?: ScheduledSession }>();
  const close = () => setOpened(undefined);
  const done = () => {
    close();
    onDone();
  };
  return (
    <>
      <Button
        look="quiet"
        label="Schedule"
        icon={<Clock size={15} />}
        onClick={() => setOpened({ message: message(), create: create?.() })}
      />
      {opened && <NewScheduleDialog session={session} {...opened} onClose={close} onDone={done} />}
    </>
  );
}
