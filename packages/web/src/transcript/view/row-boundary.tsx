import { CircleAlert } from "lucide-react";
import { Component, type ReactNode } from "react";
import type { Row } from "../rows/row.ts";

type Props = { row: Row; children: ReactNode };

/** Keeps one row that cannot be drawn from taking the page with it. */
export class RowBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  /** A row that has changed is tried again. */
  override componentDidUpdate(before: Props): void {
    if (before.row !== this.props.row && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return (
      <p className="flex items-center gap-2 py-0.5 text-bad">
        <CircleAlert size={13} aria-hidden="true" />
        This cannot be shown. Its raw events are whole: point at it and open them.
      </p>
    );
  }
}
