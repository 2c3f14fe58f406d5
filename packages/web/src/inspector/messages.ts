import { z } from "zod";

const short = z.string().max(500);
const path = z.string().max(4096);

/** The component of an element, if the framework's development build exposes it. */
const PickedComponent = z.object({
  framework: z.enum(["react", "vue", "svelte"]),
  name: short.optional(),
  /** A file of the project, or its path on the dev server, with the line if known. */
  file: path.optional(),
});

/** An element that the user picked. */
export const PickedElement = z.object({
  selector: z.string().max(2000),
  tag: short,
  text: z.string().max(1000),
  /** The start of its HTML, at most 4 kB. */
  html: z.string().max(4096),
  attributes: z.record(short, short),
  rect: z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() }),
  /** Path, query and hash of the document. */
  path,
  component: PickedComponent.optional(),
});
export type PickedElement = z.infer<typeof PickedElement>;

/** Messages from the inspector. It runs next to untrusted code, so every message is validated. */
export const FromInspector = z.discriminatedUnion("type", [
  /** A document was loaded, or its address or title changed. */
  z.object({ type: z.literal("visited"), path, title: short }),
  z.object({ type: z.literal("picked"), element: PickedElement }),
  /** Picking ended without a choice. */
  z.object({ type: z.literal("left") }),
  z.object({
    type: z.literal("shot"),
    id: z.number().int(),
    image: z.string().max(40_000_000).optional(),
    error: short.optional(),
  }),
  /** An error of the document: uncaught, or written to its console. */
  z.object({ type: z.literal("failed"), text: z.string().max(2000) }),
]);
export type FromInspector = z.infer<typeof FromInspector>;
