/**
 * The content of the public pages: each call's answer, fetched once and kept for the visit.
 * The answers that the server rendered a page with are there from the beginning.
 */
import { createContext, useCallback, useContext, useEffect, useSyncExternalStore } from "react";
import type { PageTexts } from "../content/pages";
import type { Schemas } from "./client";
import { ApiError } from "./errors";
import { send } from "./send";

/** What each call answers. */
interface Answers {
  "/api/services": Schemas["Service"][];
  "/api/services/featured": Schemas["Service"][];
  "/api/doctors": Schemas["Profile"][];
  "/api/testimonials": Schemas["Testimonial"][];
  "/api/blog": Schemas["Post"][];
  "/api/privacy": Schemas["Notice"];
  [service: `/api/services/slug/${string}`]: Schemas["Service"];
  [post: `/api/blog/slug/${string}`]: Schemas["Post"];
  [doctor: `/api/doctors/slug/${string}`]: Schemas["Profile"];
}

/** How far a call has come. Only one that was answered has data; what is missing does not exist. */
interface Outcome {
  readonly status: "pending" | "answered" | "failed" | "missing";
  readonly data?: unknown;
}

const pending: Outcome = { status: "pending" };

const isFailure = ({ status }: Outcome) => status === "failed" || status === "missing";

/** Remembers what was answered; a call that failed is made anew for whoever asks next. */
export class ContentCache {
  readonly #outcomes = new Map<string, Outcome>();
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #listeners = new Set<() => void>();

  constructor(answers: Readonly<Record<string, unknown>> = {}) {
    for (const [path, data] of Object.entries(answers)) {
      this.#outcomes.set(path, { status: "answered", data });
    }
  }

  outcome(path: string): Outcome {
    return this.#outcomes.get(path) ?? pending;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Makes a call unless it was answered or is under way; resolves once it is over. */
  load(path: string): Promise<void> {
    if (this.outcome(path).status === "answered") return Promise.resolve();
    const loading = this.#underWay.get(path) ?? this.#ask(path);
    this.#underWay.set(path, loading);
    return loading;
  }

  async #ask(path: string): Promise<void> {
    this.#set(path, pending);
    try {
      this.#set(path, { status: "answered", data: await (await send(path)).json() });
    } catch (error) {
      const missing = error instanceof ApiError && error.status === 404;
      this.#set(path, { status: missing ? "missing" : "failed" });
    } finally {
      this.#underWay.delete(path);
    }
  }

  /** Leaves a failure behind, so that it is not what the next one sees first. */
  forgetFailure(path: string): void {
    if (isFailure(this.outcome(path))) this.#outcomes.delete(path);
  }

  #set(path: string, outcome: Outcome): void {
    this.#outcomes.set(path, outcome);
    for (const listener of this.#listeners) listener();
  }
}

/** The cache of a visit, or of one rendering on the server. */
export const ContentContext = createContext(new ContentCache());

/** How far a call has come that others make; nothing is fetched. */
export function useOutcome(path: string): Outcome {
  const cache = useContext(ContentContext);
  const look = () => cache.outcome(path);
  return useSyncExternalStore(cache.subscribe, look, look);
}

/** The call for the texts of a page. */
export function textsCall(name: keyof PageTexts): string {
  return `/api/pages/${name}`;
}

/** The texts of a page, which are there before it is. */
export function useTexts<Name extends keyof PageTexts>(name: Name): PageTexts[Name] {
  const { data } = useOutcome(textsCall(name));
  if (!data) throw new Error(`the texts of ${name} are not there`);
  return data as PageTexts[Name];
}

/** The answer to a call, fetched when it is not there; not before it is `wanted`. */
export function useContent<Path extends keyof Answers>(path: Path, wanted = true) {
  const cache = useContext(ContentContext);
  const outcome = useOutcome(path);
  const { status, data } = outcome;
  const load = useCallback(() => cache.load(path), [cache, path]);
  useEffect(() => {
    if (wanted) load();
    return () => cache.forgetFailure(path);
  }, [cache, load, path, wanted]);
  return {
    data: data as Answers[Path] | undefined,
    pending: status === "pending",
    failed: isFailure(outcome),
    /** It failed because there is no such record. */
    missing: status === "missing",
    load,
  };
}
