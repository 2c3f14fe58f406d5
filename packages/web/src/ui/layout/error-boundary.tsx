import { Component, type ReactNode } from "react";

type Props = {
  /** After an error, a change of this value renders the children again. */
  resetKey: unknown;
  /** Rendered in place of the children after an error. */
  fallback: (error: unknown, retry: () => void) => ReactNode;
  children: ReactNode;
};

/** Confines a rendering error to its children, so that the rest of the page keeps working. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(before: Props): void {
    if (before.resetKey !== this.props.resetKey && this.state.error !== undefined) this.#retry();
  }

  override render(): ReactNode {
    if (this.state.error === undefined) return this.props.children;
    return this.props.fallback(this.state.error, this.#retry);
  }

  readonly #retry = () => this.setState({ error: undefined });
}
