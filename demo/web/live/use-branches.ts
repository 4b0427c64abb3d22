// The siblings of answers, read again when an answer is there that was not before.
import { useEffect, useState } from "react";
import type { Api, Branches, UIMessage } from "../api.ts";

const NONE: Branches = {};

export function useBranches(api: Api, messages: UIMessage[], busy: boolean): Branches {
  const [branches, setBranches] = useState<Branches>(NONE);
  const path = messages.map(({ id }) => id).join(" ");

  useEffect(() => {
    if (busy) return undefined;
    let current = true;
    api.branches().then(
      (found) => current && setBranches(found),
      () => undefined, // The line is seen to be down elsewhere; the path moves when it is back.
    );
    return () => {
      current = false;
    };
  }, [api, path, busy]);
  return branches;
}
