import { Component, type ReactNode } from "react";

type Props = {
  /** What is drawn. When this changes after a failure, it is tried again. */
  of: unknown;
  /** Stands in the place of what cannot be drawn. */
  instead: (error: unknown, again: () => void) => ReactNode;
  children: ReactNode;
};

/** Keeps what cannot be drawn from taking the rest of the page with it. */
export class Boundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.of !== this.props.of && this.state.error !== undefined) this.#again();
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return this.props.instead(this.state.error, this.#again);
  }

  readonly #again = () => this.setState({ error: undefined });
}
