import { z } from "zod";
import { once } from "../../once.ts";

/** Placeholder for a refresh token: the real one never leaves the broker. */
export const REMOTE = "__remote__";

const Login = once(() =>
  z.object({
    type: z.literal("oauth"),
    access: z.string(),
    refresh: z.literal(REMOTE),
    expires: z.number(),
    accountId: z.string().optional(),
    projectId: z.string().optional(),
    email: z.string().optional(),
  }),
);
const Key = once(() => z.object({ type: z.literal("api_key"), key: z.string() }));

const Shared = once(() =>
  z.object({
    id: z.number(),
    provider: z.string(),
    type: z.enum(["api_key", "oauth"]),
    identity: z.string(),
    disabledCause: z.string().optional(),
    restingUntil: z.number(),
    strikes: z.number(),
    createdAt: z.string(),
    updatedAt: z.string(),
    /** Missing when the broker cannot read it. */
    data: z.discriminatedUnion("type", [Key(), Login()]).optional(),
  }),
);
export type Shared = z.infer<ReturnType<typeof Shared>>;

/** `version` changes with any change of the credentials. */
export const Snapshot = once(() => z.object({ version: z.string(), credentials: z.array(Shared()) }));
export type Snapshot = z.infer<ReturnType<typeof Snapshot>>;

/** A credential for the broker to store. */
export const PutBody = once(() =>
  z.strictObject({
    provider: z.string().regex(/^[a-z0-9][\w.-]{0,63}$/i),
    data: z.discriminatedUnion("type", [
      z.strictObject({ type: z.literal("api_key"), key: z.string().min(4).max(16_384) }),
      z.strictObject({
        type: z.literal("oauth"),
        access: z.string().max(16_384),
        refresh: z.string().min(1).max(16_384),
        expires: z.number(),
        accountId: z.string().optional(),
        projectId: z.string().optional(),
        email: z.string().optional(),
      }),
    ]),
  }),
);

/** `access` is the client's token. If the broker already has another one, it returns that without asking the provider. */
export const RefreshBody = once(() => z.strictObject({ access: z.string().min(1).max(16_384) }));
export const RefreshAnswer = once(() =>
  z.discriminatedUnion("ok", [
    z.object({ ok: z.literal(true), data: Login() }),
    z.object({ ok: z.literal(false), permanent: z.boolean(), message: z.string() }),
  ]),
);

export const ReportBody = once(() =>
  z.union([
    z.strictObject({ outcome: z.literal("ok") }),
    z.strictObject({
      outcome: z.literal("failure"),
      category: z.enum([
        "auth",
        "rate_limited",
        "quota",
        "overloaded",
        "server",
        "network",
        "overflow",
        "refused",
        "invalid",
        "aborted",
        "unknown",
      ]),
      message: z.string().max(2_000),
      status: z.number().optional(),
      retryAfterMs: z.number().optional(),
    }),
  ]),
);
