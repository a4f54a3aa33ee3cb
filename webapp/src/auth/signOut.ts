/**
 * How far the latest sign-out came, known to all tabs of this browser and after a reload:
 * one that did not reach the server looks done, and is not.
 */
import { create } from "zustand";
import { api } from "../api/client";
import { readStored, writeStored } from "../ui/storage";

/** Failed: the session may still be open. Ended: the server ended it by itself. */
const states = ["pending", "failed", "done", "ended"] as const;
type SignOut = (typeof states)[number];

const key = "bitacora-sign-out";
/** How long the server may take, in milliseconds. */
const timeout = 10_000;

function stored(): SignOut | undefined {
  const value = readStored(key);
  return states.find((state) => state === value);
}

const useStore = create<{ readonly state: SignOut | undefined }>()(() => {
  const state = stored();
  // One that the page was left with may never have reached the server.
  return { state: state === "pending" ? "failed" : state };
});

function publish(state: SignOut | undefined): void {
  useStore.setState({ state });
  // Without storage the other tabs learn of it with their next call.
  writeStored(key, state);
}

/** How far the latest sign-out came; undefined since somebody signed in. */
export function useSignOutState(): SignOut | undefined {
  return useStore(({ state }) => state);
}

let underWay: Promise<unknown> = Promise.resolve();

/** Ends the session on the server and gives whether it did; may be repeated. */
export function endSession(): Promise<boolean> {
  publish("pending");
  const signal = AbortSignal.timeout(timeout);
  const ended = api.POST("/api/auth/logout", { signal, keepalive: true }).then(
    () => true,
    () => false,
  );
  underWay = ended.then((done) => publish(done ? "done" : "failed"));
  return ended;
}

/** Waits for a sign-out under way, whose late answer would end the next session as well. */
export async function signOutSettled(): Promise<void> {
  await underWay;
}

/** The server knows of no session any more: the other tabs are to ask it, too. */
export function noteSessionEnd(): void {
  publish("ended");
}

/** Somebody signed in: nothing is left of the sign-out before. */
export function forgetSignOut(): void {
  publish(undefined);
}

/** Calls back when another tab signs out, or in, or was shut out; returns how to stop that. */
export function watchSignOut(onChange: (state: SignOut | undefined) => void): () => void {
  const refresh = () => {
    const state = stored();
    if (state === useStore.getState().state) return;
    useStore.setState({ state });
    onChange(state);
  };
  window.addEventListener("storage", refresh);
  // A page that comes back out of the browser's cache heard nothing meanwhile.
  window.addEventListener("pageshow", refresh);
  return () => {
    window.removeEventListener("storage", refresh);
    window.removeEventListener("pageshow", refresh);
  };
}
