import { serverMessage } from "./serverMessage";

interface FormFailureProps {
  /** What is wrong with what was typed, found before it was sent. */
  readonly wrong?: string | undefined;
  readonly error: Error | null;
  /** What to say where the server said nothing. */
  readonly otherwise: string;
}

/** Why a form or a change was not taken. */
export function FormFailure({ wrong, error, otherwise }: FormFailureProps) {
  if (!wrong && !error) return null;
  return (
    <p className="mt-3 text-bad-700 text-sm [overflow-wrap:anywhere]" role="alert">
      {wrong ?? serverMessage(error) ?? otherwise}
    </p>
  );
}
