import { type Effects, HARMLESS_DEVICE } from "./effects.ts";
import { DESTROYING } from "./programs.ts";
import type { Word } from "./shell-lexer.ts";

/** Records the effects of a program whose operands are files that it changes. Returns false for any other program. */
export function recordFileProgram(effects: Effects, program: string, args: readonly Word[]): boolean {
  const operands = args.filter(
    ({ text }, at) => !text.startsWith("-") || args.slice(0, at).some((word) => word.text === "--"),
  );
  const options = args
    .filter((word) => !operands.includes(word))
    .map(({ text }) => text)
    .join(" ");
  switch (program) {
    case "rm":
      recordRm(effects, args, operands, options);
      return true;
    case "rmdir":
    case "unlink":
      for (const operand of operands) effects.delete(operand, false);
      effects.raise("file.delete");
      return true;
    case "mv":
      for (const operand of operands.slice(0, -1)) effects.delete(operand, false);
      for (const operand of operands.slice(-1)) effects.write(operand);
      effects.raise("file.write");
      return true;
    case "cp":
    case "ln":
    case "install":
    case "rsync":
    case "scp":
      if (DESTROYING[program]?.test(options)) effects.destroy();
      for (const operand of operands.slice(-1)) effects.write(operand);
      effects.raise("file.write");
      return true;
    case "chmod":
    case "chown":
    case "chgrp":
      if (/(^|\s)-\w*R|--recursive/.test(options))
        effects.destroy(!operands.slice(1).every((word) => effects.isInside(word)));
      for (const operand of operands.slice(1)) effects.write(operand);
      effects.raise("file.write");
      return true;
    case "tee":
    case "touch":
    case "mkdir":
    case "truncate":
    case "mkfifo":
    case "split":
      for (const operand of operands) effects.write(operand);
      effects.raise("file.write");
      return true;
    case "dd":
      for (const { text } of args) if (text.startsWith("of=")) recordDdTarget(effects, text.slice(3));
      effects.raise("bash.mutating");
      return true;
    default:
      return false;
  }
}

function recordRm(effects: Effects, args: readonly Word[], operands: readonly Word[], options: string): void {
  const much = /(^|\s)-\w*[rRf]|--(recursive|force|no-preserve-root)/.test(options) || args.some((arg) => arg.dynamic);
  for (const operand of operands) effects.delete(operand, much);
  if (operands.length > 0) return;
  if (much) effects.destroy();
  else effects.raise("file.delete");
}

function recordDdTarget(effects: Effects, target: string): void {
  if (/^\/dev\//.test(target) && !HARMLESS_DEVICE.test(target)) effects.destroy();
  else effects.write({ text: target, dynamic: target.includes("$") });
}

/** Records `find … -delete`. Without a root it deletes below the shell's folder. */
export function recordFindDelete(effects: Effects, args: readonly Word[]): void {
  const firstOption = args.findIndex(({ text }) => /^[-(!]/.test(text));
  const roots = args.slice(0, Math.max(0, firstOption));
  if (roots.length === 0) effects.delete({ text: ".", dynamic: false }, true);
  for (const root of roots) effects.delete(root, true);
}
