// Keeps the end of a growing list in sight, unless its reader has scrolled away from it.
import { type RefObject, useEffect, useRef } from "react";

const NEAR = 60;

export function useFollow(content: unknown): RefObject<HTMLDivElement | null> {
  const scroller = useRef<HTMLDivElement>(null);
  const follows = useRef(true);

  useEffect(() => {
    const element = scroller.current;
    const onScroll = () => {
      if (element) follows.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    };
    element?.addEventListener("scroll", onScroll, { passive: true });
    return () => element?.removeEventListener("scroll", onScroll);
  }, []);

  useEffect(() => {
    if (follows.current) scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [content]);
  return scroller;
}
