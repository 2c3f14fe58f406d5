import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

type Definition = { "x-method"?: string; "x-side"?: string };
type Frame = { id?: unknown; method?: string; params?: unknown; result?: unknown; error?: unknown };

/** Which end of the connection wrote a frame. */
export type Side = "client" | "agent";

/**
 * Validates the frames of one connection, in both directions, against the JSON schemas that the protocol publishes. `errors`
 * has one line for each invalid frame.
 */
export class FrameCheck {
  readonly errors: string[] = [];
  readonly #ajv: Ajv2020;
  readonly #definitions: Record<string, Definition>;
  /** The methods of open requests, by the side that sent them and their id. */
  readonly #open = new Map<string, string>();
  checked = 0;

  constructor(version: 1 | 2) {
    const sdk = createRequire(import.meta.url).resolve("@agentclientprotocol/sdk");
    const folder = join(sdk.slice(0, sdk.lastIndexOf("/dist/")), "schema", `v${version}`);
    const schema = JSON.parse(readFileSync(join(folder, "schema.unstable.json"), "utf8"));
    this.#definitions = schema.$defs;
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: false });
    this.#ajv.addSchema({ ...schema, $id: "acp" });
  }

  take(side: Side, frame: Frame): void {
    this.checked++;
    const { id, method } = frame;
    if (method !== undefined) {
      if (id !== undefined) this.#open.set(`${side} ${String(id)}`, method);
      return this.#validate(method, id === undefined ? "Notification" : "Request", frame.params ?? {});
    }
    const other = side === "client" ? "agent" : "client";
    const answered = this.#open.get(`${other} ${String(id)}`);
    this.#open.delete(`${other} ${String(id)}`);
    if (frame.error !== undefined) return this.#check("Error", frame.error, `error of ${answered}`);
    if (answered !== undefined) this.#validate(answered, "Response", frame.result);
  }

  #validate(method: string, kind: "Request" | "Response" | "Notification", value: unknown): void {
    const found = Object.keys(this.#definitions).find(
      (name) => this.#definitions[name]?.["x-method"] === method && name.endsWith(kind),
    );
    // Tests send unknown methods on purpose; the agent must not.
    if (found) this.#check(found, value, `${method} ${kind}`);
  }

  #check(name: string, value: unknown, what: string): void {
    const validate = this.#ajv.getSchema(`acp#/$defs/${name}`) as ValidateFunction;
    if (validate(value)) return;
    const [first] = validate.errors ?? [];
    this.errors.push(`${what}: ${first?.instancePath} ${first?.message}: ${JSON.stringify(value).slice(0, 300)}`);
  }
}
