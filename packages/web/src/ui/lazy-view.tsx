import { type ComponentType, createElement, useEffect, useState } from "react";

/**
 * A component that is fetched when it is first shown, and is drawn in the same moment once it is there. React's own
 * `lazy` holds back what it had to wait for by up to a third of a second. What cannot be fetched is thrown where it
 * would have been drawn.
 */
export function lazyView<P extends object>(load: () => Promise<{ default: ComponentType<P> }>) {
  const fetched = new Fetched(load);
  return (props: P) => <Shown fetched={fetched} props={props} />;
}

/** A component that is fetched once; after a failure it may be tried again. */
class Fetched<P extends object> {
  view: ComponentType<P> | undefined;
  readonly #load: () => Promise<{ default: ComponentType<P> }>;
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<{ default: ComponentType<P> }>) {
    this.#load = load;
  }

  fetch(): Promise<void> {
    this.#loading ??= this.#load().then(
      (module) => {
        this.view = module.default;
      },
      (error: unknown) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}

function Shown<P extends object>({ fetched, props }: { fetched: Fetched<P>; props: P }) {
  const [ended, end] = useState<{ error?: unknown }>();
  useEffect(() => {
    if (fetched.view) return;
    let wanted = true;
    fetched.fetch().then(
      () => wanted && end({}),
      (error: unknown) => wanted && end({ error }),
    );
    return () => {
      wanted = false;
    };
  }, [fetched]);
  if (ended?.error !== undefined) throw ended.error;
  return fetched.view ? createElement(fetched.view, props) : null;
}
