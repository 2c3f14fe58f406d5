/** Errors in the format of the providers. One row has the HTTP status and the body per wire format. */
export interface Failure {
  status: number;
  anthropic: { type: string; message: string };
  openai: { message: string; type: string; code: string; param?: string };
  gemini: { status: string; message: string };
}

const creditTooLow = "Your credit balance is too low to access the Anthropic API.";

export const failures = {
  err401: row(401, "authentication_error", "invalid x-api-key", {
    message: "Incorrect API key provided.",
    type: "invalid_request_error",
    code: "invalid_api_key",
    gemini: "UNAUTHENTICATED",
  }),
  err403: row(403, "permission_error", "forbidden", {
    message: "forbidden",
    type: "invalid_request_error",
    code: "forbidden",
    gemini: "PERMISSION_DENIED",
  }),
  err404: row(404, "not_found_error", "model: nope", {
    message: "The model `nope` does not exist",
    type: "invalid_request_error",
    code: "model_not_found",
    gemini: "NOT_FOUND",
  }),
  err429: row(429, "rate_limit_error", "Scripted rate limit exceeded", {
    message: "Rate limit reached for the scripted model. Please try again in 1.5s.",
    type: "rate_limit_error",
    code: "rate_limit_exceeded",
    gemini: "RESOURCE_EXHAUSTED",
  }),
  err500: row(500, "api_error", "Scripted internal server error", {
    message: "Scripted internal server error",
    type: "server_error",
    code: "server_error",
    gemini: "INTERNAL",
  }),
  err503: row(503, "overloaded_error", "Overloaded", {
    message: "Our servers are currently overloaded.",
    type: "server_error",
    code: "server_is_overloaded",
    gemini: "UNAVAILABLE",
  }),
  err529: row(529, "overloaded_error", "Overloaded", {
    message: "Overloaded",
    type: "server_error",
    code: "server_is_overloaded",
    gemini: "UNAVAILABLE",
  }),
  quota: row(429, "rate_limit_error", creditTooLow, {
    message: "You exceeded your current quota, please check your plan and billing details.",
    type: "insufficient_quota",
    code: "insufficient_quota",
    gemini: "RESOURCE_EXHAUSTED",
  }),
  credit: row(
    400,
    "invalid_request_error",
    `${creditTooLow} Please go to Plans & Billing to upgrade or purchase credits.`,
    {
      message: "billing hard limit reached",
      type: "insufficient_quota",
      code: "billing_hard_limit_reached",
      gemini: "FAILED_PRECONDITION",
    },
  ),
  overflow: row(400, "invalid_request_error", "prompt is too long: 215000 tokens > 200000 maximum", {
    message: "This model's maximum context length is 128000 tokens. However, your messages resulted in 200000 tokens.",
    type: "invalid_request_error",
    code: "context_length_exceeded",
    param: "input",
    gemini: "INVALID_ARGUMENT",
    geminiMessage: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
  }),
} as const satisfies Record<string, Failure>;

export type FailureName = keyof typeof failures;

interface OpenAiSide {
  message: string;
  type: string;
  code: string;
  param?: string;
  gemini: string;
  geminiMessage?: string;
}

function row(status: number, anthropicType: string, anthropicMessage: string, other: OpenAiSide): Failure {
  const { gemini, geminiMessage, ...openai } = other;
  return {
    status,
    anthropic: { type: anthropicType, message: anthropicMessage },
    openai,
    gemini: { status: gemini, message: geminiMessage ?? other.message },
  };
}
