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

/** Thinking effort per role: cheap and fast, balanced, or with more effort for planning and review. */
const TIERS: Record<Tier, Efforts> = {
  eco: { default: "low", executor: "minimal", architect: "low", planner: "low", critic: "low" },
  medium: { default: "medium", executor: "medium", architect: "high", planner: "medium", critic: "medium" },
  pro: { default: "high", executor: "medium", architect: "xhigh", planner: "xhigh", critic: "xhigh" },
};

/** Profile families that use a single model. */
const SINGLE: [family: string, provider: string, selector: string][] = [
  ["codex", "openai-codex", CODEX],
  ["glm", "zai", "zai/glm-5.3"],
  ["kimi-coding-plan", "kimi-coding", "kimi-coding/kimi-for-coding"],
  ["mimo", "xiaomi", "xiaomi/mimo-v2.5-pro"],
  ["grok", "xai", "xai/grok-4.3"],
  ["cursor", "cursor", "cursor/composer-1.5"],
  ["minimax", "minimax", "minimax/MiniMax-M3"],
];

/** The built-in profiles: a model per role. A user's profile with the same name replaces a built-in one. */
export const BUILT_IN_PROFILES: ReadonlyMap<string, ProfileConfig> = new Map([
  ...SINGLE.flatMap(([family, provider, selector]) =>
    (Object.keys(TIERS) as Tier[]).map((tier) =>
      makeProfile(`${family}-${tier}`, [provider], withEfforts(selector, TIERS[tier])),
    ),
  ),
  makeProfile("opencodego", ["opencode-go"], {
    default: GO.kimi,
    executor: GO.deepseek,
    architect: GO.deepseek,
    planner: GO.qwen,
    critic: GO.mimo,
  }),
  makeProfile("claude-opus", ["anthropic"], withEfforts(OPUS, TIERS.medium)),
  makeProfile("opus-codex", ["anthropic", "openai-codex"], {
    ...withEfforts(CODEX, TIERS.medium),
    default: `${OPUS}:medium`,
  }),
  makeProfile("codex-opencodego", ["openai-codex", "opencode-go"], {
    default: `${CODEX}:medium`,
    executor: GO.deepseek,
    architect: `${CODEX}:high`,
    planner: GO.qwen,
    critic: GO.mimo,
  }),
]);

function makeProfile(name: string, required_providers: string[], model_mapping: Mapping): [string, ProfileConfig] {
  return [name, { required_providers, model_mapping }];
}

function withEfforts(selector: string, efforts: Efforts): Mapping {
  return Object.fromEntries(
    Object.entries(efforts).map(([role, effort]) => [role, `${selector}:${effort}`]),
  ) as Mapping;
}
