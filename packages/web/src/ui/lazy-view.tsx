import { type ComponentType, createElement, type ReactNode, useEffect, useState } from "react";

const AGAIN_MS = 1000;

/**
 * A component that is fetched when it is first shown, and is drawn in the same moment once it is there; `meanwhile` stands
 * in its place. React's own `lazy` holds back what it had to wait for by up to a third of a second, and takes the whole
 * page down when it cannot be fetched.
 */
export function lazyView<P extends object>(
  load: () => Promise<{ default: ComponentType<P> }>,
  meanwhile: (props: P) => ReactNode = () => null,
) {
  const fetched = new Fetched(load);
  return (props: P) => <Shown fetched={fetched} props={props} meanwhile={meanwhile} />;
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

/** While the daemon is away nothing can be fetched, and everything else stays on the page: it is tried until it comes. */
function Shown<P extends object>(shown: { fetched: Fetched<P>; props: P; meanwhile: (props: P) => ReactNode }) {
  const { fetched, props, meanwhile } = shown;
  const [, draw] = useState(0);
  useEffect(() => {
    if (fetched.view) return;
    let wanted = true;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const fetch = () =>
      void fetched.fetch().then(
        () => wanted && draw((count) => count + 1),
        () => {
          if (wanted) timer = setTimeout(fetch, AGAIN_MS);
        },
      );
    fetch();
    return () => {
      wanted = false;
      clearTimeout(timer);
    };
  }, [fetched]);
  return fetched.view ? createElement(fetched.view, props) : meanwhile(props);
}
