import type { ReactNode } from "react";

type CheckboxProps = {
  checked: boolean;
  onChange: (checked: boolean) => void;
  children: ReactNode;
  disabled?: boolean;
};

/** A checkbox followed by its label. */
export function Checkbox({ checked, onChange, children, disabled }: CheckboxProps) {
  return (
    <label className="flex items-center gap-2 pointer-coarse:min-h-11">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
        className="accent-accent-fill"
      />
      {children}
    </label>
  );
}
