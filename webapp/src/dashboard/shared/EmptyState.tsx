import type { ComponentType, ReactNode } from "react";

interface EmptyStateProps {
  readonly icon: ComponentType<{ readonly className?: string }>;
  readonly title: string;
  readonly hint: string;
  readonly children?: ReactNode;
}

/** Replaces a list with nothing in it, and says what to do about that. */
export function EmptyState({ icon: Icon, title, hint, children }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-2 border-sand-200 border-t px-5 py-14 text-center">
      <span className="mb-1 grid size-12 place-items-center rounded-full bg-sand-100 text-ink-500">
        <Icon className="size-6" />
      </span>
      <p className="font-medium text-ink-900">{title}</p>
      <p className="text-ink-500 text-sm">{hint}</p>
      {children}
    </div>
  );
}
