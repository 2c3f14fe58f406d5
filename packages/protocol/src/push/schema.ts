import { z } from "zod";
import { SubscriptionId } from "../ids/schema.ts";

/** The section `push` of the configuration. */
export const PushConfig = z.strictObject({
  enabled: z
    .boolean()
    .default(false)
    .describe(
      "Notify subscribed browsers of requests and failed turns. Each message goes, encrypted, to the push service of the browser's vendor. Off: the daemon contacts no push service.",
    ),
  contact: z
    .string()
    .max(200)
    .regex(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/, "must be like `mailto:me@example.org` or `https://example.org`")
    .default("mailto:gantry@example.com")
    .describe("The address that push services get for questions about this daemon's messages."),
});

/** A browser that gets push notifications. `host` is the push service that receives its messages. */
export const PushSubscriptionRow = z.object({
  id: SubscriptionId,
  name: z.string(),
  host: z.string(),
  createdAt: z.iso.datetime(),
  /** The last message that the push service accepted. */
  sentAt: z.iso.datetime().optional(),
  /** Why the last message was not sent. */
  failure: z.string().optional(),
});

export type PushSubscriptionRow = z.infer<typeof PushSubscriptionRow>;

export const PushState = z.object({
  enabled: z.boolean(),
  /** The public key of the daemon, as `applicationServerKey` of a browser. Absent while push is off. */
  publicKey: z.string().optional(),
  /** The address that push services get for questions. */
  contact: z.string(),
  subscriptions: z.array(PushSubscriptionRow),
});

export type PushState = z.infer<typeof PushState>;

/** What `PushSubscription.toJSON()` of a browser returns, and a name for people. */
export const AddSubscription = z.strictObject({
  name: z.string().trim().min(1).max(100),
  endpoint: z.string().max(2000),
  keys: z.strictObject({ p256dh: z.string().max(200), auth: z.string().max(100) }),
  expirationTime: z.number().nullish(),
});

export type AddSubscription = z.infer<typeof AddSubscription>;

/** Answers the request of a notification. The ticket came with the notification and works once. */
export const PushAnswer = z.strictObject({ ticket: z.string().max(200), decision: z.enum(["allow", "deny"]) });

export type PushAnswer = z.infer<typeof PushAnswer>;

/** The decrypted content of a push message, as the service worker gets it. */
export type PushMessage = {
  title: string;
  body: string;
  /** A later notification with the same tag replaces an earlier one. */
  tag: string;
  /** The view that a tap opens. */
  path: string;
  /** The answers that the notification offers. */
  actions: ("allow" | "deny")[];
  /** Authorises one answer to this request. */
  ticket?: string;
};
