import type { Handlers } from "../handler.ts";
import type { DemoService } from "../ports.ts";

export function demoRoutes(demo: DemoService): Pick<Handlers, "startDemo"> {
  return {
    startDemo: async ({ body }) => {
      const { session, created } = await demo.start(body.id);
      return { json: session, status: created ? 201 : 200 };
    },
  };
}
