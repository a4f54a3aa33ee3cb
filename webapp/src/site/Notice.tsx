interface NoticeProps {
  readonly text: string;
  /** Something went wrong, and it is read out. */
  readonly failed?: boolean;
}

/** A sentence in the place of what is not there. */
export function Notice({ text, failed = false }: NoticeProps) {
  return (
    <p
      className="rounded-card border border-sand-200 bg-sand-50 px-6 py-8 text-center text-ink-700"
      role={failed ? "alert" : undefined}
    >
      {text}
    </p>
  );
}
