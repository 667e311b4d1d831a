/** Keeps the end of a growing list in sight, until the person scrolls away from it. */
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";

/** How near to the end counts as at the end, in pixels. */
const NEAR = 40;

/** Gives the reference for an element that scrolls; what grows is its only child. */
export function useStickToEnd<E extends HTMLElement>(): RefObject<E | null> {
  const reference = useRef<E>(null);
  useEffect(() => {
    const element = reference.current;
    const content = element?.firstElementChild;
    if (element === null || !content) return;
    let sticks = true;
    let last = element.scrollTop;
    const onScroll = (): void => {
      const isUp = element.scrollTop < last;
      last = element.scrollTop;
      if (element.scrollHeight - last - element.clientHeight < NEAR) sticks = true;
      // What grows never scrolls up; only a person does.
      else if (isUp) sticks = false;
    };
    const observer = new ResizeObserver(() => {
      if (sticks) element.scrollTop = element.scrollHeight;
    });
    element.addEventListener("scroll", onScroll, { passive: true });
    observer.observe(content);
    observer.observe(element);
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", onScroll);
    };
  }, []);
  return reference;
}
