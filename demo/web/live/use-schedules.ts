// Tasks by the clock, read again whenever the log has grown, and now and then: what is next comes by itself.
import { useCallback, useEffect, useState } from "react";
import { type Api, asFailure, type Schedules } from "../api.ts";

const EVERY_MS = 2_000;

type Shown = { schedules: Schedules | undefined; problem: string | undefined };

export function useSchedules(api: Api, head: number): Shown & { turn: (on: boolean) => void } {
  const [shown, setShown] = useState<Shown>({ schedules: undefined, problem: undefined });
  const show = useCallback(async (read: Promise<Schedules>, isCurrent: () => boolean) => {
    try {
      const schedules = await read;
      if (isCurrent()) setShown({ schedules, problem: undefined });
    } catch (error) {
      const problem = asFailure(error).message;
      if (isCurrent()) setShown((before) => ({ ...before, problem }));
    }
  }, []);

  useEffect(() => {
    let current = true;
    let timer: ReturnType<typeof setTimeout>;
    const read = async () => {
      await show(api.schedules(), () => current);
      if (current) timer = setTimeout(() => void read(), EVERY_MS);
    };
    void read();
    return () => {
      current = false;
      clearTimeout(timer);
    };
  }, [api, head, show]);

  const turn = useCallback((on: boolean) => void show(api.turnSchedules(on), () => true), [api, show]);
  return { ...shown, turn };
}
