import type { Model } from "../../model.ts";
import type { ModelRequest, ToolSpec } from "../../stream.ts";
import { asArray, asObject, asObjects, type Json } from "../json.ts";
import { strictTool } from "../schema/strict.ts";
import { readSetting } from "../transport.ts";

/** Anthropic's limits for all strict tools of a request together. */
const LIMITS = { tools: 20, optional: 24, unions: 16 };
type StrictUsage = typeof LIMITS;

/** Models whose provider rejected strict tools in this process. */
const withoutStrictSupport = new Set<string>();

/** All tools, strict within the provider's limits. A tool that opts out or exceeds them is sent without `strict`. */
export function anthropicTools(model: Model, request: ModelRequest, cache: Json | undefined): Json[] | undefined {
  const { tools } = request;
  if (tools.length === 0) return undefined;
  const off =
    model.disableStrictTools || withoutStrictSupport.has(nameOf(model)) || readSetting(request, "GANTRY_NO_STRICT");
  let left = LIMITS;
  const blocks = tools.map((tool) => {
    const converted = strictTool(tool, !off && tool.strict !== false, "unchanged");
    const rest = converted.strict ? subtractUsage(left, strictUsage(converted.parameters)) : undefined;
    if (!rest) return toolBlock(tool, tool.parameters);
    left = rest;
    return { ...toolBlock(tool, converted.parameters), strict: true };
  });
  const last = blocks.at(-1);
  if (last && cache) (last as Json).cache_control = cache;
  return blocks;
}

/** The request without strict tools, if it had some and the rejection may concern them. */
export function withoutStrict(model: Model, body: Json, refusal: { status: number; text: string }): Json | undefined {
  const tools = asObjects(body.tools);
  if (refusal.status !== 400 || !/strict|grammar|schema|compil/i.test(refusal.text)) return undefined;
  if (!tools.some(({ strict }) => strict === true)) return undefined;
  withoutStrictSupport.add(nameOf(model));
  return { ...body, tools: tools.map(({ strict: _strict, ...tool }) => tool) };
}

function nameOf({ baseUrl, id }: Model): string {
  return `${baseUrl} ${id}`;
}

function toolBlock({ name, description }: ToolSpec, parameters: Json): Json {
  const { type: _type, ...rest } = parameters;
  return {
    name,
    description,
    input_schema: { type: "object", ...(rest.properties ? {} : { properties: {} }), ...rest },
  };
}

function subtractUsage(left: StrictUsage, used: StrictUsage): StrictUsage | undefined {
  const rest = {
    tools: left.tools - used.tools,
    optional: left.optional - used.optional,
    unions: left.unions - used.unions,
  };
  return Object.values(rest).every((count) => count >= 0) ? rest : undefined;
}

function strictUsage(parameters: Json): StrictUsage {
  const counted = { tools: 1, optional: 0, unions: 0 };
  count(parameters, counted);
  return counted;
}

function count(schema: Json, into: StrictUsage): void {
  const alternatives = asArray(schema.anyOf);
  if (alternatives.length > 0 || Array.isArray(schema.type)) into.unions++;
  const properties = Object.entries(asObject(schema.properties));
  const required = asArray(schema.required);
  into.optional += properties.filter(([name]) => !required.includes(name)).length;
  for (const part of [...alternatives, ...properties.map(([, value]) => value), schema.items]) {
    if (part !== undefined) count(asObject(part), into);
  }
}
