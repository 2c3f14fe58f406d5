import { z } from "zod";

const short = z.string().max(500);
const path = z.string().max(4096);

/** Where an element comes from, as far as the framework's development build tells. */
const PickedComponent = z.object({
  framework: z.enum(["react", "vue", "svelte"]),
  name: short.optional(),
  /** A file of the project, or the path under which the dev server gives it, with the line where that is known. */
  file: path.optional(),
});

/** An element that a person pointed at. */
export const PickedElement = z.object({
  selector: z.string().max(2000),
  tag: short,
  text: z.string().max(1000),
  /** The beginning of its HTML, at most 4 kB. */
  html: z.string().max(4096),
  attributes: z.record(short, short),
  rect: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  /** Path, query and hash of the document. */
  path,
  component: PickedComponent.optional(),
});
export type PickedElement = z.infer<typeof PickedElement>;

/** What the inspector tells the page. It runs among a stranger's code, so all of it is checked. */
export const FromInspector = z.discriminatedUnion("type", [
  /** A document is there, or has another address or title now. */
  z.object({ type: z.literal("visited"), path, title: short }),
  z.object({ type: z.literal("picked"), element: PickedElement }),
  /** Picking has ended without a choice. */
  z.object({ type: z.literal("left") }),
  z.object({
    type: z.literal("shot"),
    id: z.number().int(),
    image: z.string().max(40_000_000).optional(),
    error: short.optional(),
  }),
  /** An error of the shown document: uncaught, or written to its console. */
  z.object({ type: z.literal("failed"), text: z.string().max(2000) }),
]);
export type FromInspector = z.infer<typeof FromInspector>;
