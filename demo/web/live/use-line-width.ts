// How many characters of monospaced text fit into an element's width.
import { type RefCallback, useCallback, useState } from "react";

/** `reserved` is what of the width is not text: padding and borders, in pixels. */
export function useLineWidth(reserved: number): [number, RefCallback<HTMLElement>] {
  const [width, setWidth] = useState(52);
  const measure = useCallback(
    (element: HTMLElement | null) => {
      if (!element) return undefined;
      const observer = new ResizeObserver(([entry]) => {
        const room = (entry?.contentRect.width ?? 0) - reserved;
        setWidth(Math.max(Math.floor(room / characterWidth(element)), 20));
      });
      observer.observe(element);
      return () => observer.disconnect();
    },
    [reserved],
  );
  return [width, measure];
}

function characterWidth(within: HTMLElement): number {
  const sample = document.createElement("pre");
  sample.className = "sample";
  sample.textContent = "0".repeat(100);
  within.appendChild(sample);
  const { width } = sample.getBoundingClientRect();
  sample.remove();
  return width / 100;
}
