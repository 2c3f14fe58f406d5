import type { Offer } from "@gantry/protocol";
import { EditorError } from "@gantry/terminal";
import { exitCodes } from "./exit-codes.ts";

/**
 * A failure that a person can act on: `message` is what happened, `preserved` what is safe, `remedy` what to do next.
 */
export class CommandError extends Error {
  override name = "CommandError";
  readonly exit: number;
  readonly code: string;
  readonly preserved?: string;
  readonly remedy?: string;

  constructor(exit: number, code: string, message: string, more: { preserved?: string; remedy?: string } = {}) {
    super(message);
    this.exit = exit;
    this.code = code;
    this.preserved = more.preserved;
    this.remedy = more.remedy;
  }
}

/** The command line itself was wrong. */
export function usageError(message: string, remedy?: string): CommandError {
  return new CommandError(exitCodes.usage, "usage", message, { remedy });
}

/** Something outside is missing or broken. */
export function environmentError(code: string, message: string, remedy?: string): CommandError {
  return new CommandError(exitCodes.environment, code, message, { remedy });
}

/** For `catch`: converts a failure of the user's editor and rethrows any other error. `outcome`: what was not done. */
export function rethrowEditorError(error: unknown, outcome: string): never {
  if (!(error instanceof EditorError)) throw error;
  throw environmentError("editor", `${error.problem} ${outcome}`, error.remedy);
}

export type ErrorReport = {
  exit: number;
  code: string;
  message: string;
  preserved?: string;
  remedy?: string;
  /** A setup command that would fix it. */
  offer?: Offer;
};

/**
 * Converts any thrown value to a report. API errors with a 4xx status are usage errors, except those that time or a login
 * can fix. Unexpected errors are shown without a stack trace; GANTRY_DEBUG shows it.
 */
export function reportOf(error: unknown): ErrorReport {
  if (error instanceof CommandError) {
    const { exit, code, message, preserved, remedy } = error;
    return { exit, code, message, preserved, remedy };
  }
  if (isApiFailure(error)) {
    const { status, code, message, remedy, details } = error;
    return { exit: exitOfStatus(status), code, message, remedy, offer: details?.offer };
  }
  if (error instanceof Error && error.name === "ConfigError") {
    return {
      exit: exitCodes.environment,
      code: "config",
      message: error.message,
      remedy: "Correct the file and try again.",
    };
  }
  if (error instanceof Error && error.name === "SandboxRequiredError") {
    const { message, remedy } = error as Error & { remedy?: string };
    return { exit: exitCodes.environment, code: "sandbox_required", message, remedy };
  }
  // Errors of the own agent, which is loaded only when it runs.
  if (error instanceof Error && error.name === "LoginRequiredError") {
    return { exit: exitCodes.environment, code: "login_required", message: error.message };
  }
  if (error instanceof Error && error.name === "SessionError") {
    return { exit: exitCodes.usage, code: "usage", message: error.message };
  }
  const message = error instanceof Error ? error.message : String(error);
  return {
    exit: exitCodes.failed,
    code: "unexpected",
    message: `Unexpected error: ${message || "no message"}`,
    remedy: "Set GANTRY_DEBUG=1 and run the command again to see where.",
  };
}

type ApiFailure = Error & { status: number; code: string; remedy?: string; details?: { offer?: Offer } };

function isApiFailure(error: unknown): error is ApiFailure {
  if (!(error instanceof Error)) return false;
  const { status, code } = error as Partial<ApiFailure>;
  return typeof status === "number" && typeof code === "string";
}

function exitOfStatus(status: number): number {
  if (status === 401 || status === 0 || status === 503) return exitCodes.environment;
  return status >= 400 && status < 500 ? exitCodes.usage : exitCodes.failed;
}
