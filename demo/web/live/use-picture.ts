// The live picture of one agent, and a way to ask for a look right now.
import { useCallback, useEffect, useRef, useState } from "react";
import type { Api } from "../api.ts";
import { emptyPicture, type Picture, type Poller, startPoller } from "./poller.ts";

export function usePicture(api: Api): { picture: Picture; poke: () => void } {
  const [picture, setPicture] = useState<Picture>(emptyPicture);
  const poller = useRef<Poller>(undefined);

  useEffect(() => {
    setPicture(emptyPicture);
    const started = startPoller(api, setPicture);
    poller.current = started;
    return () => started.stop();
  }, [api]);

  const poke = useCallback(() => poller.current?.poke(), []);
  return { picture, poke };
}
