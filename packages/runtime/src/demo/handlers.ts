import type { Session } from "@gantry/protocol";
import type { Handlers } from "../server/handler.ts";

/** A session that shows what there is to see, in a project made for it. */
export interface DemoService {
  /** `created` is false for an id that was given before. */
  start(id?: string): Promise<{ session: Session; created: boolean }>;
}

export function demoHandlers(demo: DemoService): Pick<Handlers, "startDemo"> {
  return {
    startDemo: async ({ body }) => {
      const { session, created } = await demo.start(body.id);
      return { json: session, status: created ? 201 : 200 };
    },
  };
}
