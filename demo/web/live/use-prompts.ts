// What each submission in the table asked. The log names the content by digest; it is read once, a few at a time,
// newest first, and only for submissions that are listed.
import { useEffect, useMemo, useRef, useState } from "react";
import type { Api } from "../api.ts";
import { askedIn } from "../prompts.ts";
import type { Picture } from "./poller.ts";

const AT_ONCE = 4;

/** Texts by digest; undefined for content that is gone. */
type Texts = ReadonlyMap<string, string | undefined>;

/** The prompts that are known, by submission id. */
export function usePrompts(api: Api, { submissions, asked }: Picture): ReadonlyMap<string, string> {
  const [texts, setTexts] = useState<Texts>(new Map());
  const reading = useRef(new Set<string>());

  useEffect(() => {
    const digests = submissions.flatMap(({ submissionId }) => asked.get(submissionId) ?? []);
    const wanted = digests.filter((digest) => !texts.has(digest) && !reading.current.has(digest));
    for (const digest of wanted.slice(0, Math.max(AT_ONCE - reading.current.size, 0))) {
      reading.current.add(digest);
      const ended = () => reading.current.delete(digest);
      api.payload(digest).then((content) => {
        ended();
        setTexts((known) => new Map(known).set(digest, askedIn(content)));
      }, ended); // Not read: the next picture asks again.
    }
  }, [api, submissions, asked, texts]);

  return useMemo(() => {
    const known = new Map<string, string>();
    for (const { submissionId } of submissions) {
      const text = texts.get(asked.get(submissionId) ?? "");
      if (text !== undefined) known.set(submissionId, text);
    }
    return known;
  }, [submissions, asked, texts]);
}
