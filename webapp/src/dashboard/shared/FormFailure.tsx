import { problemOf } from "../../api/problem";
import { interfaceTexts } from "../../content/interface";

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
  const problem = problemOf(error);
  return (
    <p className="mt-3 text-bad-700 text-sm [overflow-wrap:anywhere]" role="alert">
      {wrong ?? problem?.message ?? otherwise}
      {!wrong && problem && ` ${interfaceTexts.reference(problem.requestId)}`}
    </p>
  );
}
