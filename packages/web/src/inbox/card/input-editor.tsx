import { useEffect, useId, useRef } from "react";
import { fromFields, type InputField } from "./input-fields.ts";

type InputEditorProps = { fields: InputField[]; onChange: (fields: InputField[]) => void };

/** Edits the tool's input before it is allowed. */
export function InputEditor({ fields, onChange }: InputEditorProps) {
  const id = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const result = fromFields(fields);
  const invalid = "invalid" in result ? result.invalid : undefined;
  return (
    <div className="flex flex-col gap-2 border-t border-line bg-sunken px-3 py-2">
      {fields.map(({ name, kind, value }, index) => (
        <div key={name} className="flex flex-col gap-0.5">
          <label htmlFor={`${id}-${name}`} className="text-xs text-faint">
            {name}
          </label>
          <textarea
            ref={index === 0 ? first : undefined}
            id={`${id}-${name}`}
            spellCheck={false}
            value={value}
            rows={Math.min(16, value.split("\n").length)}
            aria-invalid={invalid === name}
            onChange={(event) => onChange(fields.with(index, { name, kind, value: event.target.value }))}
            className="w-full resize-y rounded border border-line bg-surface px-2 py-1 font-mono text-xs"
          />
          {invalid === name && <p className="text-xs text-bad">This is not valid JSON.</p>}
        </div>
      ))}
    </div>
  );
}
