import {
  type ApplicationText,
  ArgumentScannerError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core";
import { type ErrorReport, reportOf } from "./errors.ts";
import { exitCodes } from "./exit-codes.ts";
import { isNearName } from "./near-names.ts";
import type { Output } from "./output.ts";

/** The texts of all errors: in parsing, in a command, and in loading a command. */
export function errorText(output: Output): ApplicationText {
  const show = (error: unknown) => formatReport(reportOf(error), output) + trace(error);
  const usage = (message: string, remedy: string) =>
    formatReport({ exit: exitCodes.usage, code: "usage", message, remedy }, output);
  return {
    ...text_en,
    noCommandRegisteredForInput: ({ input, corrections }) =>
      usage(`There is no ${input.startsWith("-") ? "flag" : "command"} \`${input}\`.`, suggestion(input, corrections)),
    exceptionWhileParsingArguments: (error) => usage(parseMessage(error), "--help shows the flags and examples."),
    exceptionWhileRunningCommand: show,
    exceptionWhileLoadingCommandFunction: show,
    exceptionWhileLoadingCommandContext: show,
    commandErrorResult: show,
  };
}

/** What happened, what is safe, what to do: a few lines for people, one JSON value for programs. */
export function formatReport(report: ErrorReport, output: Pick<Output, "json" | "notePaint">): string {
  const { code, message, preserved, remedy, offer } = report;
  if (output.json) {
    const error = { code, message, kept: preserved, remedy, offer }; // prose-ignore: field of the JSON output
    return JSON.stringify({ error });
  }
  const { red, dim } = output.notePaint;
  const [first, ...rest] = message.split("\n");
  const lines = [`${red("✗")} ${first}`, ...rest.map((line) => `  ${line}`)];
  if (preserved) lines.push(`  ${preserved}`);
  if (remedy) lines.push(`  ${dim("→")} ${remedy}`);
  return lines.join("\n");
}

/** The parser's corrections are in backticks and include names that have little in common with the input. */
function suggestion(input: string, corrections: readonly string[]): string {
  const all = "`gantry help` lists all commands.";
  const near = corrections.filter((name) => isNearName(input, name.replaceAll("`", "")));
  if (input.startsWith("-") || near.length === 0) return all;
  return `Did you mean ${near.slice(0, 3).join(" or ")}? ${all}`;
}

function parseMessage(error: unknown): string {
  if (!(error instanceof ArgumentScannerError)) return reportOf(error).message;
  return formatMessageForArgumentScannerError(error, {
    FlagNotFoundError: ({ input, corrections }) =>
      `There is no flag --${input}.${corrections.length > 0 ? ` Did you mean --${corrections.slice(0, 2).join(" or --")}?` : ""}`,
    AliasNotFoundError: ({ input }) => `There is no flag -${input}.`,
    ArgumentParseError: ({ externalFlagNameOrPlaceholder, exception }) =>
      `${externalFlagNameOrPlaceholder}: ${exception instanceof Error ? exception.message : String(exception)}`,
    EnumValidationError: ({ externalFlagName, input, values }) =>
      `--${externalFlagName}: \`${input}\` is not one of ${values.join(", ")}.`,
    UnsatisfiedFlagError: ({ externalFlagName }) => `--${externalFlagName} <value> is missing.`,
    UnexpectedPositionalError: ({ input }) => `\`${input}\` is one argument too many.`,
    UnsatisfiedPositionalError: ({ placeholder }) => `<${placeholder}> is missing.`,
    UnexpectedFlagError: ({ externalFlagName }) => `--${externalFlagName} is given twice.`,
  });
}

function trace(error: unknown): string {
  return process.env.GANTRY_DEBUG && error instanceof Error ? `\n${error.stack}` : "";
}
