import type { Delivery, SessionView } from "@gantry/protocol";
import { ArrowUp, ChevronUp, CornerDownRight, ListEnd, ListRestart, ListX, OctagonX } from "lucide-react";
import { type Shortcut, useShortcuts } from "../../shell/shortcuts.ts";
import { useCell } from "../../store/cell.ts";
import { preferences } from "../../store/preferences.ts";
import { Button } from "../../ui/controls/button.tsx";
import { Menu } from "../../ui/controls/menu.tsx";
import { StopButton } from "./stop-button.tsx";
import { stopTurn } from "./stop-turn.ts";

type SendButtonsProps = {
  session: SessionView;
  /** Whether the draft has anything to send. */
  filled: boolean;
  /** Whether the agent accepts messages during a turn. */
  steers: boolean;
  onSend: (delivery: Delivery) => void;
};

/** The send button. While a turn runs there is one button per kind of delivery. */
export function SendButtons({ session, filled, steers, onSend }: SendButtonsProps) {
  const running = session.turn !== undefined;
  const sendKeys = useCell(preferences).sendKey === "enter" ? "enter" : "mod+enter";
  useShortcuts(running ? runningShortcuts(steers, onSend) : idleShortcuts(onSend));
  const first = { look: "primary" as const, keys: sendKeys, disabled: !filled };
  if (!running)
    return (
      <Button {...first} icon={<ArrowUp size={14} />} onClick={() => onSend("auto")}>
        Send
      </Button>
    );
  const interrupt = {
    label: "Interrupt and send",
    icon: <OctagonX size={14} />,
    disabled: !filled,
    run: () => onSend("interrupt"),
  };
  const keep = {
    label: "Stop and run the queue",
    icon: <ListRestart size={14} />,
    disabled: session.queue.length === 0 || session.queueState === "paused",
    run: () => void stopTurn(session.id, session.queue, "keep"),
  };
  const clear = {
    label: "Stop and clear the queue",
    icon: <ListX size={14} />,
    disabled: session.queue.length === 0,
    run: () => void stopTurn(session.id, session.queue, "clear"),
  };
  return (
    <div className="flex items-center gap-1">
      <StopButton session={session} />
      {steers && (
        <Button
          icon={<CornerDownRight size={14} />}
          title="Send into the running turn"
          disabled={!filled}
          onClick={() => onSend("steer")}
        >
          Steer
        </Button>
      )}
      <Button
        {...first}
        icon={<ListEnd size={14} />}
        title="Send after the running turn"
        onClick={() => onSend("queue")}
      >
        Queue
      </Button>
      <Menu label="More send options" icon={<ChevronUp size={14} />} entries={[interrupt, keep, clear]} />
    </div>
  );
}

type OnSend = SendButtonsProps["onSend"];

function idleShortcuts(onSend: OnSend): Shortcut[] {
  return [{ keys: "mod+enter", does: "Send the message", run: () => onSend("auto"), whileTyping: true }];
}

function runningShortcuts(steers: boolean, onSend: OnSend): Shortcut[] {
  const shortcut = (keys: string, does: string, delivery: Delivery) => ({
    keys,
    does,
    run: () => onSend(delivery),
    whileTyping: true,
  });
  return [
    shortcut("mod+enter", "Queue the message", "queue"),
    ...(steers ? [shortcut("mod+shift+enter", "Steer: send into the running turn", "steer")] : []),
    shortcut("alt+enter", "Interrupt the turn and send", "interrupt"),
  ];
}
