import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";

const RETRY_MS = 1000;

/**
 * A component whose module is fetched on first render; `placeholder` is rendered until then. React's `lazy` is not used
 * because it delays the first paint by up to 300 ms and crashes the whole tree when the fetch fails.
 */
export function lazyView<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  placeholder: (props: P) => ReactNode = () => null,
) {
  const module = new LazyModule(load);
  return (props: P) => <LazyComponent module={module} props={props} placeholder={placeholder} />;
}

/** Fetches a component's module once. A failed fetch may be retried. */
class LazyModule<P extends object> {
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

type LazyComponentProps<P extends object> = {
  module: LazyModule<P>;
  props: P;
  placeholder: (props: P) => ReactNode;
};

/** Retries until the module arrives: while the daemon is down nothing can be fetched, but the page stays usable. */
function LazyComponent<P extends object>({ module, props, placeholder }: LazyComponentProps<P>) {
  const [, render] = useState(0);
  useEffect(() => {
    if (module.view) return;
    let mounted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fetch = () =>
      void module.fetch().then(
        () => mounted && render((count) => count + 1),
        () => {
          if (mounted) timer = setTimeout(fetch, RETRY_MS);
        },
      );
    fetch();
    return () => {
      mounted = false;
      clearTimeout(timer);
    };
  }, [module]);
  return module.view ? createElement(module.view, props) : placeholder(props);
}
