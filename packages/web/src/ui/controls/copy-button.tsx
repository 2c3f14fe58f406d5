import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { toastError } from "../../store/toasts.ts";
import { Button } from "./button.tsx";

const COPIED_MS = 1500;

/** Copies a text to the clipboard. `copied` is true for a moment afterwards. */
export function useCopy(text: string) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    } catch (error) {
      toastError(error);
    }
  };
  return { copied, copy: () => void copy() };
}

/** Copies a text to the clipboard and confirms it for a moment. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy(text);
  return (
    <Button
      look="quiet"
      label={copied ? "Copied" : label}
      icon={copied ? <Check size={14} className="text-good" /> : <Copy size={14} />}
      onClick={copy}
    />
  );
}
