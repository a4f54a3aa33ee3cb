import type { ReactNode } from "react";

interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

/** A fact in a list of them. */
export function Fact({ name, children }: FactProps) {
  return (
    <div>
      <dt className="text-ink-600 text-sm">{name}</dt>
      <dd className="mt-0.5 font-semibold text-ink-900 leading-7">{children}</dd>
    </div>
  );
}
