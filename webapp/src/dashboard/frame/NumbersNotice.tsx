import type { ReactNode } from "react";

/** Says what holds for all numbers: that a demo's patients are invented, or of which zone they are. */
export function NumbersNotice({ children }: { readonly children: ReactNode }) {
  return (
    <p className="rounded-xl border border-warn-400 bg-white px-4 py-2.5 font-medium text-[0.9375rem] text-warn-800">
      {children}
    </p>
  );
}
