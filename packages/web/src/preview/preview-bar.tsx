import {
  ArrowLeft,
  ArrowRight,
  Camera,
  ExternalLink,
  type LucideIcon,
  Monitor,
  PowerOff,
  RotateCw,
  ScrollText,
  Smartphone,
  SquareDashedMousePointer,
  Tablet,
  TriangleAlert,
  Wrench,
} from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { useCell } from "../store/cell.ts";
import { Button } from "../ui/controls/button.tsx";
import { type Device, previewLayout } from "./preview-state.ts";

export type PreviewBarProps = {
  path: string;
  /** Whether the document has an inspector. Without it, only the address bar works. */
  inspectable: boolean;
  picking: boolean;
  failures: number;
  onVisit: (typed: string) => void;
  onGo: (by: -1 | 1) => void;
  onReload: () => void;
  onOpenTab: () => void;
  onPick: (on: boolean) => void;
  onShoot: () => void;
  onTakeFailures: () => void;
  /** Sends the errors to the agent at once. */
  onFixFailures: () => void;
  onEnd: () => void;
};

const devices: { device: Device; label: string; icon: LucideIcon }[] = [
  { device: "phone", label: "Phone width", icon: Smartphone },
  { device: "tablet", label: "Tablet width", icon: Tablet },
  { device: "full", label: "Full width", icon: Monitor },
];

/** The toolbar of the preview. */
export function PreviewBar(props: PreviewBarProps) {
  const { inspectable, picking, failures } = props;
  return (
    <div
      role="toolbar"
      aria-label="Preview"
      className="flex flex-wrap items-center gap-1 border-b border-line px-2 py-1.5"
    >
      <Button
        look="quiet"
        label="Back"
        icon={<ArrowLeft size={15} />}
        disabled={!inspectable}
        onClick={() => props.onGo(-1)}
      />
      <Button
        look="quiet"
        label="Forward"
        icon={<ArrowRight size={15} />}
        disabled={!inspectable}
        onClick={() => props.onGo(1)}
      />
      <Button look="quiet" label="Reload" icon={<RotateCw size={14} />} onClick={props.onReload} />
      <Address path={props.path} onVisit={props.onVisit} />
      <DeviceChoice />
      <Button look="quiet" label="Open in a new tab" icon={<ExternalLink size={14} />} onClick={props.onOpenTab} />
      <Button
        look={picking ? "primary" : "plain"}
        aria-pressed={picking}
        icon={<SquareDashedMousePointer size={14} />}
        disabled={!inspectable}
        onClick={() => props.onPick(!picking)}
      >
        Inspect
      </Button>
      <Button label="Screenshot" icon={<Camera size={14} />} disabled={!inspectable} onClick={props.onShoot} />
      {failures > 0 && (
        <>
          <Button icon={<TriangleAlert size={14} />} title="Add errors to the message" onClick={props.onTakeFailures}>
            {failures === 1 ? "1 error" : `${failures} errors`}
          </Button>
          <Button look="primary" icon={<Wrench size={14} />} onClick={props.onFixFailures}>
            Ask the agent to fix
          </Button>
        </>
      )}
      <LogButton />
      <Button look="quiet" label="End preview" icon={<PowerOff size={14} />} onClick={props.onEnd} />
    </div>
  );
}

function LogButton() {
  const { logs } = useCell(previewLayout);
  return (
    <Button
      look={logs ? "plain" : "quiet"}
      label="Server log"
      aria-pressed={logs}
      icon={<ScrollText size={14} />}
      onClick={() => previewLayout.update((layout) => ({ ...layout, logs: !logs }))}
    />
  );
}

function Address({ path, onVisit }: Pick<PreviewBarProps, "path" | "onVisit">) {
  const [typed, setTyped] = useState(path);
  useEffect(() => setTyped(path), [path]);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onVisit(typed);
  };
  return (
    <form onSubmit={onSubmit} className="min-w-32 grow">
      <input
        aria-label="Address"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(path)}
        spellCheck={false}
        autoComplete="off"
        className="h-7 w-full rounded-md border border-line bg-sunken px-2 font-mono text-xs text-ink"
      />
    </form>
  );
}

function DeviceChoice() {
  const { device: chosen } = useCell(previewLayout);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a row of buttons in every browser.
    <div role="group" aria-label="Width" className="flex rounded-md border border-line">
      {devices.map(({ device, label, icon: Icon }) => (
        <Button
          key={device}
          look={device === chosen ? "plain" : "quiet"}
          label={label}
          aria-pressed={device === chosen}
          icon={<Icon size={14} />}
          onClick={() => previewLayout.update((layout) => ({ ...layout, device }))}
        />
      ))}
    </div>
  );
}
