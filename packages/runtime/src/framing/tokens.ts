const TOKEN = /gss_[A-Za-z0-9_-]{43}(\.ses_[A-Za-z0-9_.:#-]*[A-Za-z0-9_#-])?/g;

/**
 * A text without the tokens of sessions in it. An agent that prints its environment prints its token too; that must not
 * get into a log or before other eyes.
 */
export function hideTokens(text: string): string {
  return text.includes("gss_") ? text.replace(TOKEN, "gss_[hidden]") : text;
}
