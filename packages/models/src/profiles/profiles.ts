import { PROFILE_ROLES, type ProfileConfig, type ProfileRole } from "../config/schema.ts";
import type { Model, ThinkingLevel } from "../model.ts";
import type { Found, NotFound } from "../resolver/resolve.ts";
import { clampLevel } from "../thinking-levels.ts";

/** The model of a role with its effective level, or the reason why there is none. */
export type ProfileRow = {
  role: ProfileRole;
  selector: string;
  model?: Model;
  /** The level in the profile. */
  asked?: ThinkingLevel;
  /** The level that the model supports. */
  effective?: ThinkingLevel;
  problem?: string;
};

/** The effect that a profile would have now. It is usable if nothing is `missing`. */
export type ProfilePreview = {
  name: string;
  source: "built-in" | "user";
  required: { provider: string; ready: boolean }[];
  missing: string[];
  roles: ProfileRow[];
};

export type ProfileContext = {
  ready(provider: string): boolean;
  resolve(selector: string): Found | NotFound;
};

export function previewProfile(
  context: ProfileContext,
  name: string,
  source: ProfilePreview["source"],
  profile: ProfileConfig,
): ProfilePreview {
  const required = profile.required_providers.map((provider) => ({ provider, ready: context.ready(provider) }));
  const roles = PROFILE_ROLES.flatMap((role) => {
    const selector = profile.model_mapping[role];
    return selector === undefined ? [] : [previewRole(context, role, selector)];
  });
  const missing = required.filter(({ ready }) => !ready).map(({ provider }) => provider);
  return { name, source, required, missing, roles };
}

function previewRole(context: ProfileContext, role: ProfileRole, selector: string): ProfileRow {
  const found = context.resolve(selector);
  if (!("model" in found)) return { role, selector, problem: found.why.at(-1) ?? "There is no such model." };
  const { model, level } = found;
  if (level === undefined) return { role, selector, model };
  return { role, selector, model, asked: level, effective: clampLevel(model, level) };
}

/** The selectors of a profile's roles, with the effective levels. */
export function profileRoles({ roles }: ProfilePreview): Record<string, string> {
  return Object.fromEntries(
    roles.map(({ role, selector, model, effective }) => {
      if (!model) return [role, selector];
      return [role, `${model.provider}/${model.id}${effective === undefined ? "" : `:${effective}`}`];
    }),
  );
}
