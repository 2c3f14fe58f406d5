import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { CHANNEL, type ChannelMessage, type ToInspector } from "../inspector/channel.ts";
import { FromInspector, type PickedElement } from "../inspector/messages.ts";

const SCREENSHOT_TIMEOUT_MS = 30_000;
/** A document that has not responded by then has no inspector. */
const RESPONSE_TIMEOUT_MS = 3000;
const MAX_ERRORS = 100;

type Shot = { resolve: (image: string) => void; reject: (error: Error) => void };
type Options = { frame: RefObject<HTMLIFrameElement | null>; origin: string; onPick: (element: PickedElement) => void };

/**
 * The page's end of the message channel to the inspector in a preview's frame. Accepts only valid messages from that frame
 * and the preview's origin.
 */
export function useInspector({ frame, origin, onPick }: Options) {
  const [place, setPlace] = useState<{ path: string; title: string }>();
  const [present, setPresent] = useState(false);
  const [picking, setPicking] = useState(false);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const shots = useRef(new Map<number, Shot>());
  const responseTimer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const send = useCallback((message: ToInspector) => postToFrame(frame.current, origin, message), [frame, origin]);

  const receive = (message: FromInspector) => {
    clearTimeout(responseTimer.current);
    setPresent(true);
    if (message.type === "visited") {
      setPlace({ path: message.path, title: message.title });
    } else if (message.type === "failed") {
      setFailures((all) => [...all, message.text].slice(-MAX_ERRORS));
    } else if (message.type === "shot") {
      const shot = shots.current.get(message.id);
      if (message.image) shot?.resolve(message.image);
      else shot?.reject(new Error(message.error ?? "The screenshot failed."));
    } else {
      setPicking(false);
      if (message.type === "picked") onPick(message.element);
    }
  };

  useFrameMessages(frame, origin, receive);

  return {
    /** The address and title of the document; `undefined` before its first message. */
    place,
    /** Whether the document has an inspector. */
    present,
    picking,
    failures,
    forgetFailures: () => setFailures([]),
    /** Call this when the frame has loaded a document. */
    onLoad: () => {
      setPicking(false);
      setFailures([]);
      clearTimeout(responseTimer.current);
      responseTimer.current = setTimeout(() => setPresent(false), RESPONSE_TIMEOUT_MS);
      send({ type: "hello" });
    },
    pick: (on: boolean) => {
      setPicking(on);
      send({ type: "pick", on });
    },
    go: (by: -1 | 1) => send({ type: "go", by }),
    reload: () => send({ type: "reload" }),
    shoot: () => shoot(shots.current, send),
  };
}

function postToFrame(frame: HTMLIFrameElement | null, origin: string, message: ToInspector): void {
  const sent: ChannelMessage<ToInspector> = { channel: CHANNEL, message };
  frame?.contentWindow?.postMessage(sent, origin);
}

/** Calls `onReceive` for each valid message of the inspector. Ignores other windows, origins and channels. */
function useFrameMessages(frame: Options["frame"], origin: string, onReceive: (message: FromInspector) => void) {
  const receive = useEffectEvent(onReceive);
  useEffect(() => {
    const onMessage = ({ source, origin: from, data }: MessageEvent<Partial<ChannelMessage<unknown>> | undefined>) => {
      if (source !== frame.current?.contentWindow || from !== origin || data?.channel !== CHANNEL) return;
      const parsed = FromInspector.safeParse(data.message);
      if (parsed.success) receive(parsed.data);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, [frame, origin]);
}

let lastShot = 0;

/** A screenshot of the visible part as a PNG data URL. Rejects with a message for the user. */
async function shoot(shots: Map<number, Shot>, send: (message: ToInspector) => void): Promise<string> {
  const id = ++lastShot;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const late = setTimeout(() => reject(new Error("The screenshot timed out.")), SCREENSHOT_TIMEOUT_MS);
  shots.set(id, { resolve, reject });
  send({ type: "shoot", id });
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    shots.delete(id);
  }
}
