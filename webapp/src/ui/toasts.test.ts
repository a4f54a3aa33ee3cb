import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toastRemoveDelay, useToasts } from "./toasts";

beforeEach(() => {
  vi.useFakeTimers();
  useToasts.setState({ toasts: [] });
});
afterEach(() => {
  vi.useRealTimers();
});

const { show, dismiss } = useToasts.getState();
const toasts = () => useToasts.getState().toasts;

it("shows one toast at a time", () => {
  show({ title: "uno" });
  const second = show({ title: "dos", variant: "destructive" });
  expect(toasts()).toEqual([{ id: second, title: "dos", variant: "destructive", open: true }]);
});

it("keeps a dismissed toast for a while, closed", () => {
  const id = show({ title: "uno" });
  dismiss(id);
  expect(toasts()).toMatchObject([{ id, open: false }]);
  vi.advanceTimersByTime(toastRemoveDelay - 1);
  expect(toasts()).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(toasts()).toHaveLength(0);
});

it("does not let an old toast's removal touch a new one", () => {
  dismiss(show({ title: "uno" }));
  show({ title: "dos" });
  vi.advanceTimersByTime(toastRemoveDelay);
  expect(toasts()).toMatchObject([{ title: "dos", open: true }]);
});
