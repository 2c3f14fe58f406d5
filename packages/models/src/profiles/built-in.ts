import type { ProfileConfig, ProfileRole } from "../config/schema.ts";

type Mapping = Record<ProfileRole, string>;
type Efforts = Record<ProfileRole, string>;
type Tier = "eco" | "medium" | "pro";

const CODEX = "openai-codex/gpt-5.5";
const OPUS = "anthropic/claude-opus-4-8";
const GO = {
  kimi: "opencode-go/kimi-k2.7-code",
  deepseek: "opencode-go/deepseek-v4-pro",
  qwen: "opencode-go/qwen3.7-max",
  mimo: "opencode-go/mimo-v2.5-pro",
};

/** How hard each role thinks: cheap and fast, as usual, and with more thought where plans are made and judged. */
const TIERS: Record<Tier, Efforts> = {
  eco: { default: "low", executor: "minimal", architect: "low", planner: "low", critic: "low" },
  medium: { default: "medium", executor: "medium", architect: "high", planner: "medium", critic: "medium" },
  pro: { default: "high", executor: "medium", architect: "xhigh", planner: "xhigh", critic: "xhigh" },
};

/** Families of profiles that keep to one model of one provider. */
const SINGLE: [family: string, provider: string, selector: string][] = [
  ["codex", "openai-codex", CODEX],
  ["glm", "zai", "zai/glm-5.3"],
  ["kimi-coding-plan", "kimi-coding", "kimi-coding/kimi-for-coding"],
  ["mimo", "xiaomi", "xiaomi/mimo-v2.5-pro"],
  ["grok", "xai", "xai/grok-4.3"],
  ["cursor", "cursor", "cursor/composer-1.5"],
  ["minimax", "minimax", "minimax/MiniMax-M3"],
];

/** Sets of models for the roles of a team that come with Gantry. A user's profile of the same name counts instead. */
export const BUILT_IN_PROFILES: ReadonlyMap<string, ProfileConfig> = new Map([
  ...SINGLE.flatMap(([family, provider, selector]) =>
    (Object.keys(TIERS) as Tier[]).map((tier) => one(`${family}-${tier}`, [provider], at(selector, TIERS[tier]))),
  ),
  one("opencodego", ["opencode-go"], {
    default: GO.kimi,
    executor: GO.deepseek,
    architect: GO.deepseek,
    planner: GO.qwen,
    critic: GO.mimo,
  }),
  one("claude-opus", ["anthropic"], at(OPUS, TIERS.medium)),
  one("opus-codex", ["anthropic", "openai-codex"], { ...at(CODEX, TIERS.medium), default: `${OPUS}:medium` }),
  one("codex-opencodego", ["openai-codex", "opencode-go"], {
    default: `${CODEX}:medium`,
    executor: GO.deepseek,
    architect: `${CODEX}:high`,
    planner: GO.qwen,
    critic: GO.mimo,
  }),
]);

function one(name: string, required_providers: string[], model_mapping: Mapping): [string, ProfileConfig] {
  return [name, { required_providers, model_mapping }];
}

function at(selector: string, efforts: Efforts): Mapping {
  return Object.fromEntries(
    Object.entries(efforts).map(([role, effort]) => [role, `${selector}:${effort}`]),
  ) as Mapping;
}
