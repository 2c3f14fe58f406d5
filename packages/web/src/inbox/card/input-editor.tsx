import { useEffect, useId, useRef } from "react";
import { type EditedField, inputOf } from "./edited-input.ts";

type InputEditorProps = { fields: EditedField[]; onChange: (fields: EditedField[]) => void };

/** The tool's input, to be changed before it is allowed. */
export function InputEditor({ fields, onChange }: InputEditorProps) {
  const id = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  useEffect(() => first.current?.focus(), []);
  const result = inputOf(fields);
  const wrong = "wrong" in result ? result.wrong : undefined;
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
            aria-invalid={wrong === name}
            onChange={(event) => onChange(fields.with(index, { name, kind, value: event.target.value }))}
            className="w-full resize-y rounded border border-line bg-surface px-2 py-1 font-mono text-xs"
          />
          {wrong === name && <p className="text-xs text-bad">This is not valid JSON.</p>}
        </div>
      ))}
    </div>
  );
}
