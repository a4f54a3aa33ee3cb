import type { ReactNode } from "react";

interface FactProps {
  readonly className?: string;
  readonly name: string;
  readonly children: ReactNode;
}

/** A fact in a list of them. */
export function Fact({ className, name, children }: FactProps) {
  return (
    <div className={className}>
      <dt className="text-ink-600 text-sm">{name}</dt>
      <dd className="mt-0.5 font-semibold text-ink-900 leading-7">{children}</dd>
    </div>
  );
}
