import { useState } from "react";
import { TextField } from "../ui/controls/field.tsx";

type SavedTextProps = {
  label: string;
  value: string;
  placeholder?: string;
  className?: string;
  onSave: (text: string) => Promise<void>;
};

/** A text that is saved when the field is left or Enter is pressed. Escape restores it. */
export function SavedText({ label, value, placeholder, className, onSave }: SavedTextProps) {
  const [text, setText] = useState<string>();
  const save = () => {
    const next = text?.trim();
    setText(undefined);
    if (next !== undefined && next !== value) void onSave(next);
  };
  return (
    <TextField
      label={label}
      value={text ?? value}
      placeholder={placeholder}
      onChange={setText}
      onBlur={save}
      onKeyDown={(event) => {
        if (event.key === "Enter") save();
        if (event.key === "Escape") setText(undefined);
      }}
      className={className}
    />
  );
}
