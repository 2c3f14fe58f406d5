import type { AddSubscription, PushAnswer, PushState, PushSubscriptionRow } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** Push notifications. */
export interface PushService {
  get(): PushState;
  /** Throws `conflict` when config.yml has mistakes. */
  switch(enabled: boolean): PushState;
  /** Throws `push_off` or `invalid`. */
  subscribe(body: AddSubscription): Promise<PushSubscriptionRow>;
  /** Throws `no_such_subscription`. */
  revoke(id: string): void;
  /** Throws `no_such_subscription` or `push_off`. A failure to send is in the row. */
  test(id: string): Promise<PushSubscriptionRow>;
  /** Throws `bad_ticket`, `no_such_input` or `already_answered`. */
  answer(body: PushAnswer): { id: string; session: string; decision: string };
}

type PushCalls = "getPush" | "putPush" | "addSubscription" | "deleteSubscription" | "testSubscription" | "answerPush";

export function pushHandlers(push: { open: () => Promise<PushService> }): Pick<Handlers, PushCalls> {
  return {
    getPush: async () => ({ json: (await push.open()).get() }),
    putPush: async ({ body }) => ({ json: (await push.open()).switch(body.enabled) }),
    addSubscription: async ({ body }) => ({ json: await (await push.open()).subscribe(body) }),
    deleteSubscription: async ({ params }) => {
      (await push.open()).revoke(params.id);
      return { json: { revoked: true } };
    },
    testSubscription: async ({ params }) => ({ json: await (await push.open()).test(params.id) }),
    answerPush: async ({ body }) => ({ json: (await push.open()).answer(body) }),
  };
}
