import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { CHANNEL, type Sent, type ToInspector } from "../inspector/channel.ts";
import { FromInspector, type PickedElement } from "./messages.ts";

const SHOT_MS = 30_000;
/** A document that has not answered by then has no inspector in it. */
const SILENCE_MS = 3000;
const MOST_FAILURES = 100;

type Shot = { resolve: (image: string) => void; reject: (error: Error) => void };
type Options = { frame: RefObject<HTMLIFrameElement | null>; origin: string; onPick: (element: PickedElement) => void };

/**
 * The page's side of the talk with the inspector in a preview's frame. Only what comes from that frame, under the preview's
 * origin and in the right shape, is heard.
 */
export function useInspector({ frame, origin, onPick }: Options) {
  const [place, setPlace] = useState<{ path: string; title: string }>();
  const [present, setPresent] = useState(false);
  const [picking, setPicking] = useState(false);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const shots = useRef(new Map<number, Shot>());
  const silence = useRef<ReturnType<typeof setTimeout>>(undefined);

  const say = useCallback(
    (message: ToInspector) => {
      const sent: Sent<ToInspector> = { channel: CHANNEL, message };
      frame.current?.contentWindow?.postMessage(sent, origin);
    },
    [frame, origin],
  );

  const hear = useEffectEvent((message: FromInspector) => {
    clearTimeout(silence.current);
    setPresent(true);
    if (message.type === "visited") {
      setPlace({ path: message.path, title: message.title });
    } else if (message.type === "failed") {
      setFailures((all) => [...all, message.text].slice(-MOST_FAILURES));
    } else if (message.type === "shot") {
      const shot = shots.current.get(message.id);
      if (message.image) shot?.resolve(message.image);
      else shot?.reject(new Error(message.error ?? "The picture could not be taken."));
    } else {
      setPicking(false);
      if (message.type === "picked") onPick(message.element);
    }
  });

  useEffect(() => {
    const onMessage = ({ source, origin: from, data }: MessageEvent<Partial<Sent<unknown>> | undefined>) => {
      if (source !== frame.current?.contentWindow || from !== origin || data?.channel !== CHANNEL) return;
      const parsed = FromInspector.safeParse(data.message);
      if (parsed.success) hear(parsed.data);
    };
    addEventListener("message", onMessage);
    return () => removeEventListener("message", onMessage);
  }, [frame, origin]);

  return {
    /** Where the shown document is; `undefined` before the first word of it. */
    place,
    /** Is there an inspector in the shown document? */
    present,
    picking,
    failures,
    forgetFailures: () => setFailures([]),
    /** To be called when the frame has loaded a document. */
    onLoad: () => {
      setPicking(false);
      setFailures([]);
      clearTimeout(silence.current);
      silence.current = setTimeout(() => setPresent(false), SILENCE_MS);
      say({ type: "hello" });
    },
    pick: (on: boolean) => {
      setPicking(on);
      say({ type: "pick", on });
    },
    go: (by: -1 | 1) => say({ type: "go", by }),
    reload: () => say({ type: "reload" }),
    shoot: () => shoot(shots.current, say),
  };
}

let lastShot = 0;

/** A picture of what is visible, as a data URL of a PNG. Rejects with what a person can read. */
async function shoot(shots: Map<number, Shot>, say: (message: ToInspector) => void): Promise<string> {
  const id = ++lastShot;
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const late = setTimeout(() => reject(new Error("The shown page took too long to draw itself.")), SHOT_MS);
  shots.set(id, { resolve, reject });
  say({ type: "shoot", id });
  try {
    return await promise;
  } finally {
    clearTimeout(late);
    shots.delete(id);
  }
}
