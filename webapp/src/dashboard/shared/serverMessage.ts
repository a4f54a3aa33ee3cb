import { problemOf } from "../../api/problem";
import { interfaceTexts } from "../../content/interface";

/** What the server says about a failed change, with its reference; undefined where it said nothing. */
export function serverMessage(error: unknown): string | undefined {
  const problem = problemOf(error);
  return problem && `${problem.message} ${interfaceTexts.reference(problem.requestId)}`;
}
