import { Component, type ComponentType, lazy, type ReactNode } from "react";
import { interfaceTexts } from "../content/interface";
import { ErrorAlert } from "./ErrorAlert";

/** A part whose code is fetched once it is shown, and once more where it did not come. */
// biome-ignore lint/suspicious/noExplicitAny: as React's own
export function lazyPart<Part extends ComponentType<any>>(load: () => Promise<{ default: Part }>) {
  return lazy(() => load().catch(load));
}

/** Says that a part of the page failed; loading the page anew also fetches its code anew. */
function PartFailure() {
  return (
    <ErrorAlert
      message={interfaceTexts.partFailure}
      onRetry={() => window.location.reload()}
      reason={interfaceTexts.partFailureReason}
    />
  );
}

interface BoundaryProps {
  /** What is shown in the place of a part that failed. */
  readonly fallback?: ReactNode;
  readonly children: ReactNode;
}

/** Keeps a part that fails, or whose code does not come, from taking the page with it. */
export class Boundary extends Component<BoundaryProps, { readonly failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    const { fallback = <PartFailure />, children } = this.props;
    return this.state.failed ? fallback : children;
  }
}

/** The same around a whole page. */
export function PageBoundary({ children }: { readonly children: ReactNode }) {
  const fallback = (
    <main className="grid min-h-dvh place-items-center bg-sand-50 px-4">
      <h1 className="sr-only">{interfaceTexts.partFailure}</h1>
      <PartFailure />
    </main>
  );
  return <Boundary fallback={fallback}>{children}</Boundary>;
}
