import { z } from "zod";
import type { Route } from "../routing/route.ts";
import { AddSubscription, PushAnswer, PushState, PushSubscriptionRow } from "./schema.ts";

/** Push notifications to browsers. For people only, except for the answer, which a ticket authorises. */
export const pushRoutes = {
  getPush: {
    method: "GET",
    path: "/v1/push",
    summary: "Whether push notifications are on, the daemon's public key, and the subscribed browsers.",
    status: 200,
    response: PushState,
    errors: [],
    client: "push.get()",
  },
  putPush: {
    method: "PUT",
    path: "/v1/push",
    summary:
      "Switches push notifications on or off (`push.enabled` of config.yml). Off: nothing is sent and tickets are void.",
    body: z.strictObject({ enabled: z.boolean() }),
    status: 200,
    response: PushState,
    errors: ["invalid", "conflict"],
    client: "push.switch(enabled)",
  },
  addSubscription: {
    method: "POST",
    path: "/v1/push/subscriptions",
    summary: "Subscribes a browser. The endpoint must be https and public. The same endpoint again replaces the first.",
    body: AddSubscription,
    status: 201,
    response: PushSubscriptionRow,
    errors: ["push_off", "invalid"],
    client: "push.subscribe(body)",
  },
  deleteSubscription: {
    method: "DELETE",
    path: "/v1/push/subscriptions/:id",
    summary: "Revokes a subscription and the tickets of its notifications.",
    status: 200,
    response: z.object({ revoked: z.literal(true) }),
    errors: ["no_such_subscription"],
    client: "push.revoke(id)",
  },
  testSubscription: {
    method: "POST",
    path: "/v1/push/subscriptions/:id/test",
    summary: "Sends a test notification and returns the row with `sentAt` or `failure`.",
    bodyOptional: true,
    status: 200,
    response: PushSubscriptionRow,
    errors: ["no_such_subscription", "push_off"],
    client: "push.test(id)",
  },
  answerPush: {
    method: "POST",
    path: "/v1/push/answer",
    summary:
      "Answers the request that a notification showed. Authorised by the ticket of the notification alone, which works once.",
    body: PushAnswer,
    status: 200,
    response: z.object({ id: z.string(), session: z.string(), decision: z.string() }),
    errors: ["bad_ticket", "no_such_input", "already_answered", "invalid"],
    open: true,
    client: "push.answer(ticket, decision)",
  },
} as const satisfies Record<string, Route>;
