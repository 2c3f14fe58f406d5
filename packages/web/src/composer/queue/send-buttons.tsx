import type { Delivery, SessionView } from "@gantry/protocol";
import { ArrowUp, ChevronUp, CornerDownRight, ListEnd, OctagonX } from "lucide-react";
import { useShortcuts } from "../../shell/shortcuts.ts";
import { useCell } from "../../store/cell.ts";
import { preferences } from "../../store/preferences.ts";
import { Button } from "../../ui/button.tsx";
import { Menu } from "../../ui/menu.tsx";
import { StopButton } from "./stop-button.tsx";

type SendButtonsProps = {
  session: SessionView;
  /** Is there anything to send? */
  filled: boolean;
  /** Does the agent take messages into a running turn? */
  steers: boolean;
  onSend: (delivery: Delivery) => void;
};

/** What can be done with the draft right now. While a turn runs there is a choice, and each choice has its own button. */
export function SendButtons({ session, filled, steers, onSend }: SendButtonsProps) {
  const running = session.turn !== undefined;
  const sendKeys = useCell(preferences).sendKey === "enter" ? "enter" : "mod+enter";
  const first = running ? "queue" : "auto";
  useShortcuts([
    {
      keys: "mod+enter",
      does: running ? "Queue the message" : "Send the message",
      run: () => onSend(first),
      whileTyping: true,
    },
    ...(running && steers
      ? [
          {
            keys: "mod+shift+enter",
            does: "Steer: send into the running turn",
            run: () => onSend("steer"),
            whileTyping: true,
          },
        ]
      : []),
    ...(running
      ? [{ keys: "alt+enter", does: "Interrupt the turn and send", run: () => onSend("interrupt"), whileTyping: true }]
      : []),
  ]);
  if (!running)
    return (
      <Button
        look="primary"
        icon={<ArrowUp size={14} />}
        keys={sendKeys}
        disabled={!filled}
        onClick={() => onSend("auto")}
      >
        Send
      </Button>
    );
  const interrupt = {
    label: "Interrupt the turn and send",
    icon: <OctagonX size={14} />,
    disabled: !filled,
    run: () => onSend("interrupt"),
  };
  return (
    <div className="flex items-center gap-1">
      <StopButton session={session} />
      {steers && (
        <Button
          icon={<CornerDownRight size={14} />}
          title="Into the running turn"
          disabled={!filled}
          onClick={() => onSend("steer")}
        >
          Steer
        </Button>
      )}
      <Button
        look="primary"
        icon={<ListEnd size={14} />}
        keys={sendKeys}
        title="After the running turn"
        disabled={!filled}
        onClick={() => onSend("queue")}
      >
        Queue
      </Button>
      <Menu label="Other ways" icon={<ChevronUp size={14} />} entries={[interrupt]} />
    </div>
  );
}
