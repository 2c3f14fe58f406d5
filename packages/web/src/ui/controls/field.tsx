import type { ComponentProps, ReactNode } from "react";
import { classes } from "../classes.ts";

type TextFieldProps = Omit<ComponentProps<"input">, "onChange" | "value"> & {
  label: string;
  value: string;
  onChange: (value: string) => void;
};

const boxLook =
  "rounded-md border border-line bg-surface px-2 text-sm text-ink placeholder:text-faint hover:border-line-strong";

export const fieldLook = `h-7 pointer-coarse:h-11 ${boxLook}`;

/** A one-line text input. `label` is its accessible name; wrap it in a Field to show the name as well. */
export function TextField({ label, value, onChange, className, ...more }: TextFieldProps) {
  return (
    <input
      type="text"
      aria-label={label}
      autoComplete="off"
      spellCheck={false}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classes(fieldLook, className)}
      {...more}
    />
  );
}

type TextAreaProps = Omit<ComponentProps<"textarea">, "onChange" | "value"> &
  Pick<TextFieldProps, "label" | "value" | "onChange">;

/** A text input of several lines. `label` is its accessible name. */
export function TextArea({ label, value, onChange, className, ...more }: TextAreaProps) {
  return (
    <textarea
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={classes(boxLook, "w-full py-1 pointer-coarse:min-h-11", className)}
      {...more}
    />
  );
}

/**
 * A control with a visible name above and a hint below. The visible name is hidden from screen readers, because the
 * control carries the same name as its label.
 */
export function Field({ name, about, children }: { name: string; about?: string; children: ReactNode }) {
  return (
    <div>
      <div aria-hidden="true" className="pb-1 text-xs font-medium text-soft">
        {name}
      </div>
      {children}
      {about && <p className="pt-1 text-xs text-faint">{about}</p>}
    </div>
  );
}
